// What a link says that somebody sent along: of which subscription it is, or of which account the server that it leads
// to knows. People paste what their customer's app shows them.
import { formatOfName } from "../links/format-names.ts";

/** Keys that accounts are looked up by. */
export interface LinkKeys {
  /** `subId` or `subToken`. */
  readonly links: readonly string[];
  readonly uuids: readonly string[];
}

const NONE: LinkKeys = { links: [], uuids: [] };
const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Links in one text that are looked at. */
const MOST = 8;

/**
 * The keys in a text with links; none in any other. A link of an app (`happ://add/…`, `clash://install-config?url=…`,
 * `sub://…`) has the address of the subscription in it, written as an address or in base64. Links by a password alone
 * are nobody's: a search never says whose a password is.
 */
export function keysInLinks(text: string): LinkKeys {
  if (!text.includes("://")) return NONE;
  const plain = decoded(text);
  const packed = [...plain.matchAll(/\b(?:sub|vmess):\/\/([A-Za-z0-9+/_=-]{16,})/g)].slice(0, MOST);
  const all = [plain, ...packed.map(([, letters = ""]) => Buffer.from(letters, "base64").toString("utf8"))];
  return {
    links: [...new Set(all.flatMap(subscriptionKeys))].slice(0, MOST),
    uuids: [...new Set([...serverUuids(plain), ...all.slice(1).flatMap(vmessUuids)])].slice(0, MOST),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** The last part of the path; before it where the last one is a format. */
function subscriptionKeys(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s"'<>&,;]+/gi)].slice(0, MOST).flatMap(([address]) => {
    const parts = (URL.parse(address)?.pathname ?? "").split("/").filter((part) => part !== "");
    const last = parts.at(-1) ?? "";
    const key = parts.length > 1 && formatOfName(last) !== undefined ? (parts.at(-2) ?? "") : last;
    return KEY.test(key) ? [key] : [];
  });
}

function serverUuids(text: string): string[] {
  return [...text.matchAll(/\b(?:vless|tuic|vmess):\/\/([0-9a-f-]{36})(?=[:@/?#]|$)/gi)].flatMap(([, uuid = ""]) =>
    UUID.test(uuid) ? [uuid] : [],
  );
}

/** The form of v2rayN: an object in JSON. */
function vmessUuids(text: string): string[] {
  const [, uuid = ""] = /"id"\s*:\s*"([^"]{36})"/.exec(text) ?? [];
  return UUID.test(uuid) ? [uuid] : [];
}
