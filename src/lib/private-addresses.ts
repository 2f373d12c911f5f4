// Which targets are private: closed to proxy users, and to what operators type, unless it is allowed.
import { isIP } from "node:net";
import { ipv6Bytes, parseAddressList, unmapped } from "./addresses.ts";

/**
 * Ranges that are no public targets. IPv4: this host, private and shared networks, link-local, benchmarks, multicast,
 * reserved, broadcast. IPv6: likewise, and what only ever stood for IPv4: compatible with the unspecified address and
 * loopback (::/96), translated (::ffff:0:0:0/96), NAT64 of a single network (64:ff9b:1::/48), Teredo (2001::/32, whose
 * server and client may be anything); discard (100::/64), benchmarks (2001:2::/48), ORCHID (2001:10::/28), segment
 * routing (5f00::/16), site-local (fec0::/10).
 *
 * Addresses of documentation are nobody's network and not among them.
 */
export const PRIVATE_RANGES: readonly string[] = (
  "127.0.0.0/8 0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 192.0.0.0/24 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 " +
  "::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 2001::/32 2001:2::/48 2001:10::/28 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8"
).split(" ");

const privateRanges = parseAddressList(PRIVATE_RANGES.join(","));

/**
 * The IPv4 addresses that a public IPv6 address leads to: NAT64 (64:ff9b::/96), 6to4 (2002::/16), and ISATAP, an ending
 * of any network (0:5efe or 200:5efe and the address; bits 0 and 1 of the ending's first byte are free).
 */
function embeddedIpv4(bytes: Buffer): string[] {
  const found: string[] = [];
  const at = (index: number): string => bytes.subarray(index, index + 4).join(".");
  if (bytes.readBigUInt64BE(0) === 0x0064_ff9b_0000_0000n && bytes.readUInt32BE(8) === 0) found.push(at(12));
  if (bytes.readUInt16BE(0) === 0x2002) found.push(at(2));
  if ((bytes.readUInt32BE(8) & 0xfcff_ffff) === 0x5efe) found.push(at(12));
  return found;
}

/**
 * Whether a target is closed to proxy users and to addresses that operators type: private ranges, also behind every
 * form of IPv6 that leads to IPv4. Text that is no IP address counts as private, so that a caller who forgot to resolve
 * a name fails closed.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 0 || privateRanges.contains(plain)) return true;
  return family === 6 && embeddedIpv4(ipv6Bytes(plain)).some((inner) => privateRanges.contains(inner));
}

/** Names that hosts have for themselves in their hosts file. */
export const OWN_NAMES: readonly string[] = [
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost4.localdomain4",
  "localhost6",
  "localhost6.localdomain6",
  "ip6-localhost",
  "ip6-loopback",
];
/** Every name below it is the host itself (RFC 6761). */
export const OWN_DOMAIN = "localhost";
/** Domains that no public name server has: what is below them is known to one's own network alone. */
const NETWORK_DOMAINS = ["local", "internal", "localdomain", "home.arpa"];

function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}

/** Whether a name, in small letters or not, with a dot at its end or not, is the host itself whoever is asked. */
export function isOwnName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, "");
  return OWN_NAMES.includes(name) || isBelow(name, OWN_DOMAIN);
}

/** Whether a name is the host itself, or one that only its own network can resolve. */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, "");
  return isOwnName(name) || NETWORK_DOMAINS.some((domain) => name === domain || isBelow(name, domain));
}

/**
 * Whether a host is written as loopback or private: an address in any notation that resolvers take (`127.1`,
 * `0x7f000001`, `[::1]`, with a trailing dot), or a name for the host itself or its network. Other names are not looked
 * up. What can be no host counts as private.
 */
export function isPrivateHost(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(plain) !== 0) return isPrivateAddress(plain);
  const url = /^[^\s:/?#@\\[\]]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  if (!url) return true;
  const name = url.hostname.replace(/\.+$/, "");
  return isIP(name) === 0 ? name === "" || isPrivateName(name) : isPrivateAddress(name);
}
