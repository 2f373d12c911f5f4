// Which addresses a user may reach, and how a name becomes addresses: resolved once, checked, and then exactly the
// checked address is dialled.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** All addresses of a name, best first. Throws when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The system's resolver, hosts file included. */
export async function systemResolve(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address);
}

/** Whether `bytes` begin with the first `bits` of `prefix` (absent bytes are 0). */
export function hasPrefix(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  for (let i = 0; i * 8 < bits; i++) {
    const mask = bits - i * 8 >= 8 ? 255 : (255 << (8 - (bits - i * 8))) & 255;
    if (((bytes[i] ?? 0) & mask) !== ((prefix[i] ?? 0) & mask)) return false;
  }
  return true;
}

const NAME_MEMORY_MS = 30_000;
const MAX_NAMES = 10_000;

/**
 * A resolver that asks once for simultaneous questions and remembers good answers for half a minute, so that a flood of
 * one name costs one look-up.
 */
export function rememberingResolve(resolve: Resolve, now: () => number): Resolve {
  const known = new Map<string, { answer: Promise<readonly string[]>; until: number }>();
  return (name) => {
    const kept = known.get(name);
    if (kept && kept.until > now()) return kept.answer;
    const answer = resolve(name);
    known.delete(name);
    known.set(name, { answer, until: now() + NAME_MEMORY_MS });
    answer.catch(() => known.delete(name));
    if (known.size > MAX_NAMES) {
      const oldest = known.keys().next();
      if (!oldest.done) known.delete(oldest.value);
    }
    return answer;
  };
}

/** The addresses of a host (itself, when it is one). Throws when it has none. */
export async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  // A resolver may answer with zones or other oddities: only plain literals are dialled.
  const addresses = (await resolve(host)).filter((address) => isIP(address) !== 0);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}
