// The addresses that proxy users must not reach unless the node's operator allows it: the host itself and the networks
// that only it can see.
import { OWN_DOMAIN, OWN_NAMES, PRIVATE_RANGES as RANGES } from "../lib/private-addresses.ts";

/**
 * An IPv4 range as it looks behind a translator: NAT64's well-known prefix and 6to4. Engines read IPv4-mapped addresses
 * as IPv4 by themselves. An ISATAP address is no range: it ends in IPv4 in whatever network, and leads somewhere only
 * where the host has an ISATAP interface.
 */
function translated(range: string): string[] {
  const [address = "", bits = "0"] = range.split("/");
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [`64:ff9b::${high}:${low}/${96 + Number(bits)}`, `2002:${high}:${low}::/${16 + Number(bits)}`];
}

/** The ranges that are private everywhere, and the IPv4 ones behind translators: engines go by ranges alone. */
export const PRIVATE_RANGES: readonly string[] = [
  ...RANGES,
  ...RANGES.filter((range) => !range.includes(":")).flatMap(translated),
];

/** What reaches the host itself, whatever it listens on. */
export const LOOPBACK_RANGES: readonly string[] = ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"];

/** Names that mean the host itself without being asked of any server. */
export const LOCAL_NAMES: readonly string[] = [...OWN_NAMES.map((name) => `full:${name}`), `domain:${OWN_DOMAIN}`];
