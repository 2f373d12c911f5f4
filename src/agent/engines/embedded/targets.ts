// Which addresses a user may reach, and how a name becomes addresses: resolved once, checked, and then exactly the
// checked address is dialled.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { addressBytes } from "./protocols/address.ts";

/** All addresses of a name, best first. Throws when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The system's resolver, hosts file included. */
export async function systemResolve(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address);
}

/** A prefix is its first bytes; the rest are 0. */
const PRIVATE_V4: readonly (readonly [prefix: readonly number[], bits: number])[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[224], 4],
  [[240], 4],
];
const PRIVATE_V6: readonly (readonly [prefix: readonly number[], bits: number])[] = [
  [[0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], 48],
  [[0xfc], 7],
  [[0xfe, 0x80], 10],
  [[0xfe, 0xc0], 10],
  [[0xff], 8],
];
/**
 * Prefixes of IPv6 addresses that carry an IPv4 address, and where: mapped and compatible, NAT64, 6to4. The carried
 * address decides.
 */
const CARRIES_V4: readonly (readonly [prefix: readonly number[], bits: number, at: number])[] = [
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96, 12],
  [[], 96, 12],
  [[0x00, 0x64, 0xff, 0x9b], 96, 12],
  [[0x20, 0x02], 16, 2],
];

/** Whether `bytes` begin with the first `bits` of `prefix` (absent bytes are 0). */
export function hasPrefix(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  for (let i = 0; i * 8 < bits; i++) {
    const mask = bits - i * 8 >= 8 ? 255 : (255 << (8 - (bits - i * 8))) & 255;
    if (((bytes[i] ?? 0) & mask) !== ((prefix[i] ?? 0) & mask)) return false;
  }
  return true;
}

/**
 * Loopback, private, link-local, shared (CGNAT), multicast, reserved and unspecified addresses, in every form that an
 * address literal can take.
 */
export function isPrivateAddress(address: string): boolean {
  const bytes = addressBytes(address);
  if (bytes.length === 4) return PRIVATE_V4.some(([prefix, bits]) => hasPrefix(bytes, prefix, bits));
  const carried = CARRIES_V4.find(([prefix, bits]) => hasPrefix(bytes, prefix, bits));
  if (carried) return isPrivateAddress(bytes.slice(carried[2], carried[2] + 4).join("."));
  return PRIVATE_V6.some(([prefix, bits]) => hasPrefix(bytes, prefix, bits));
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
