// The `contact` object of a user: flat pairs of text, six of whose keys the panel reads (rules users.change.4,
// users.change.5).
import { brokenLineRule, invalid, rule, type Rule, ruleSaying } from "../../http/index.ts";

export type Contact = Readonly<Record<string, string>>;

/** Messengers first; each value is a numeric chat id or an @username. */
export const MESSENGER_KEYS = ["telegram_id", "bale_id", "eitaa_id", "rubika_id"] as const;
/** Keys that are filterable (`contact_<key>`) and are columns of an export. */
export const CONTACT_KEYS = [...MESSENGER_KEYS, "email", "phone"] as const;

const LIMITS = { pairs: 24, key: 48, value: 256, bytes: 2048 };

const CHAT = { pattern: /^(-?\d{1,20}|@\w{1,64})$/, broken: rule("chat") };
const STANDARD: Readonly<Record<string, { readonly pattern: RegExp; readonly broken: Rule }>> = {
  ...Object.fromEntries(MESSENGER_KEYS.map((key) => [key, CHAT])),
  email: { pattern: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, broken: rule("email") },
  phone: { pattern: /^(?=(?:\D*\d){3})\+?[0-9(][0-9 ().-]{2,30}$/, broken: rule("phone") },
};

/** Pairs of one change: it may take all away that there are, and add as many. */
export const MOST_GIVEN = 2 * LIMITS.pairs;

const lengthOf = (text: string) => Array.from(text).length;

/**
 * The contact after `given` was laid over `stored` (empty for a replacement): numbers and booleans become text, an
 * empty value removes its key. Null where no pair is left. Throws 400 naming `contact` or `contact.<key>`.
 */
export function mergeContact(
  stored: Contact | null,
  given: Readonly<Record<string, string | number | boolean>>,
): Record<string, string> | null {
  const pairs = new Map(Object.entries(stored ?? {}));
  for (const [key, value] of Object.entries(given)) {
    const text = String(value);
    if (text === "") pairs.delete(key);
    else checkPair(key, text);
    if (text !== "") pairs.set(key, text);
  }
  if (pairs.size === 0) return null;
  if (pairs.size > LIMITS.pairs)
    invalid("contact", ruleSaying(`must have at most ${LIMITS.pairs} pairs`, "too_many", LIMITS.pairs));
  const contact = Object.fromEntries(pairs);
  if (Buffer.byteLength(JSON.stringify(contact)) > LIMITS.bytes)
    invalid("contact", ruleSaying(`must have at most ${LIMITS.bytes} bytes in all`, "too_many_bytes", LIMITS.bytes));
  return contact;
}

function checkPair(key: string, text: string): void {
  const field = `contact.${key}`;
  if (key === "") invalid("contact", ruleSaying("a key must not be empty", "empty"));
  if (lengthOf(key) > LIMITS.key)
    invalid("contact", ruleSaying(`a key must have at most ${LIMITS.key} characters`, "too_long", LIMITS.key));
  const broken = brokenLineRule(key) === undefined ? brokenLineRule(text) : brokenLineRule(key);
  if (broken !== undefined) invalid(brokenLineRule(key) === undefined ? field : "contact", broken);
  if (lengthOf(text) > LIMITS.value) invalid(field, rule("too_long", LIMITS.value));
  const standard = Object.hasOwn(STANDARD, key) ? STANDARD[key] : undefined;
  if (standard && !standard.pattern.test(text)) invalid(field, standard.broken);
}

/** What free text searches: the values, one a line. */
export function contactText(contact: Contact | null): string {
  return Object.values(contact ?? {}).join("\n");
}
