// How long the texts are that clients are told (rule pool.inbound.6): each of them is in every link of every account.
import { rule, type Rule } from "../../http/index.ts";

/** Characters of the name of a host, and of every other text. */
const HOST = 253;
const TEXT = 4096;
const HOSTS: ReadonlySet<string> = new Set(["server_name", "server", "host", "Host", "address", "domain", "authority"]);
/** Certificates, keys and pages: files by nature, which no link has. */
const FILES: ReadonlySet<string> = new Set([
  "certificate",
  "client_certificate",
  "key",
  "client_key",
  "private_key",
  "config",
  "content",
]);

/** The texts that are too long, by their paths. */
export function lengthIssues(fragment: unknown): (Rule & { readonly path: string })[] {
  return [...longTexts(fragment, [])].map(([path, most]) => ({ path, ...rule("too_long", most) }));
}

/** `key`: the nearest name; items of a list have that of the list. */
function* longTexts(value: unknown, path: readonly string[], key = ""): Generator<[path: string, most: number]> {
  if (FILES.has(key)) return;
  if (typeof value === "string") {
    const most = HOSTS.has(key) ? HOST : TEXT;
    if (value.length > most) yield [path.join("."), most];
    return;
  }
  if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield* longTexts(item, [...path, String(at)], key);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) yield* longTexts(member, [...path, name], name);
}
