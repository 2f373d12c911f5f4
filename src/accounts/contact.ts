// The `contact` object of a user: flat pairs of text, six of whose keys the panel reads (rules users.change.4, users.change.5).
import { brokenLineRule, invalid } from "../http/index.ts";

export type Contact = Readonly<Record<string, string>>;

/** Messengers first; each value is a numeric chat id or an @username. */
export const MESSENGER_KEYS = ["telegram_id", "bale_id", "eitaa_id", "rubika_id"] as const;
/** Keys that are filterable (`contact_<key>`) and are columns of an export. */
export const CONTACT_KEYS = [...MESSENGER_KEYS, "email", "phone"] as const;

const LIMITS = { pairs: 24, key: 48, value: 256, bytes: 2048 };

const CHAT = { pattern: /^(-?\d{1,20}|@\w{1,64})$/, message: "must be a numeric chat id or an @username" };
const STANDARD: Readonly<Record<string, { readonly pattern: RegExp; readonly message: string }>> = {
  ...Object.fromEntries(MESSENGER_KEYS.map((key) => [key, CHAT])),
  email: { pattern: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, message: "must be an e-mail address" },
  phone: { pattern: /^\+?[0-9][0-9 ().-]{2,30}$/, message: "must be a phone number" },
};

const lengthOf = (text: string) => Array.from(text).length;

/**
 * The contact after `given` was laid over `stored` (empty for a replacement): numbers and booleans become text, an empty value removes its key.
 * Null where no pair is left. Throws 400 naming `contact` or `contact.<key>`.
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
  if (pairs.size > LIMITS.pairs) invalid("contact", `must have at most ${LIMITS.pairs} pairs`);
  const contact = Object.fromEntries(pairs);
  if (Buffer.byteLength(JSON.stringify(contact)) > LIMITS.bytes) invalid("contact", `must have at most ${LIMITS.bytes} bytes in all`);
  return contact;
}

function checkPair(key: string, text: string): void {
  const field = `contact.${key}`;
  if (key === "") invalid("contact", "a key must not be empty");
  if (lengthOf(key) > LIMITS.key) invalid("contact", `a key must have at most ${LIMITS.key} characters`);
  const broken = brokenLineRule(key) === undefined ? brokenLineRule(text) : brokenLineRule(key);
  if (broken !== undefined) invalid(brokenLineRule(key) === undefined ? field : "contact", broken);
  if (lengthOf(text) > LIMITS.value) invalid(field, `must have at most ${LIMITS.value} characters`);
  const rule = Object.hasOwn(STANDARD, key) ? STANDARD[key] : undefined;
  if (rule && !rule.pattern.test(text)) invalid(field, rule.message);
}

/** What free text searches: the values, one a line. */
export function contactText(contact: Contact | null): string {
  return Object.values(contact ?? {}).join("\n");
}
