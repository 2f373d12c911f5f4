// IP addresses and ranges: lists that operators type, the key under which sources are counted, and which targets are
// private.
import { BlockList, isIP, isIPv4 } from "node:net";

/** A list entry that is neither an address nor a CIDR. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  /** What was written. */
  readonly entry: string;

  constructor(entry: string, message: string) {
    super(message);
    this.entry = entry;
  }
}

/** A parsed list. `entries` are as written, trimmed and without repeats. */
export interface AddressList {
  readonly entries: readonly string[];
  /** Whether the list contains `address`; IPv4-mapped IPv6 counts as IPv4. False for text that is no address. */
  contains(address: string): boolean;
}

/** The 16 bytes of an IPv6 address that `isIP` accepted; a zone (`%eth0`) is ignored. */
function ipv6Bytes(address: string): Buffer {
  const [text = ""] = address.split("%");
  const dotted = text.lastIndexOf(".") >= 0 ? text.slice(text.lastIndexOf(":") + 1) : "";
  const tail = dotted === "" ? [] : dotted.split(".").map(Number);
  const hex = dotted === "" ? text : text.slice(0, text.length - dotted.length);
  const [head = "", rest] = hex.split("::");
  const groups = (part: string): number[] =>
    part
      .split(":")
      .filter((group) => group !== "")
      .map((group) => Number.parseInt(group, 16));
  const left = groups(head);
  const right = rest === undefined ? [] : groups(rest);
  const bytes = Buffer.alloc(16);
  left.forEach((group, index) => bytes.writeUInt16BE(group, index * 2));
  const end = 16 - tail.length;
  right.forEach((group, index) => bytes.writeUInt16BE(group, end - (right.length - index) * 2));
  tail.forEach((byte, index) => bytes.writeUInt8(byte, end + index));
  return bytes;
}

/** The IPv4 address inside an IPv4-mapped one (`::ffff:a.b.c.d`); every other address as it came, without its zone. */
export function unmapped(address: string): string {
  const [text = ""] = address.split("%");
  if (isIP(text) !== 6) return text;
  const bytes = ipv6Bytes(text);
  const mapped = bytes.readBigUInt64BE(0) === 0n && bytes.readUInt32BE(8) === 0x0000_ffff;
  return mapped ? bytes.subarray(12).join(".") : text;
}

function addRange(list: BlockList, entry: string): void {
  const [address = "", prefixText, ...more] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0 || address.includes("%"))
    throw new AddressError(entry, `"${entry}" is not an IP address or CIDR`);
  const type = family === 4 ? "ipv4" : "ipv6";
  if (prefixText === undefined) {
    const plain = unmapped(address);
    list.addAddress(plain, isIPv4(plain) ? "ipv4" : "ipv6");
    return;
  }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  if (!(prefix <= (family === 4 ? 32 : 128))) throw new AddressError(entry, `"${entry}" has no valid prefix length`);
  list.addSubnet(address, prefix, type);
}

/**
 * Parses addresses and CIDRs separated by commas or white space; the empty text is the empty list. Throws AddressError
 * naming the entry.
 */
export function parseAddressList(text: string): AddressList {
  const entries = [...new Set(text.split(/[\s,]+/).filter((entry) => entry !== ""))];
  const ranges = new BlockList();
  for (const entry of entries) addRange(ranges, entry);
  return {
    entries,
    contains(address) {
      const plain = unmapped(address);
      const family = isIP(plain);
      if (family === 0) return false;
      return ranges.check(plain, family === 4 ? "ipv4" : "ipv6");
    },
  };
}

/**
 * The key under which a source is counted and limited: an IPv4 address itself, an IPv6 address's /64. Text that is no
 * address is its own key.
 */
export function sourceKey(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const bytes = ipv6Bytes(plain);
  const groups = [0, 2, 4, 6].map((offset) => bytes.readUInt16BE(offset).toString(16));
  return `${groups.join(":")}::/64`;
}

/** Ranges that are no public targets: this host, private and shared networks, link-local, multicast, reserved. */
export const PRIVATE_RANGES: readonly string[] = (
  "127.0.0.0/8 0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 192.0.0.0/24 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 " +
  "::1/128 ::/128 fc00::/7 fe80::/10 fec0::/10 ff00::/8 64:ff9b:1::/48"
).split(" ");

const privateRanges = parseAddressList(PRIVATE_RANGES.join(","));

/**
 * The IPv4 address that a translating IPv6 range carries: NAT64 (64:ff9b::/96), 6to4 (2002::/16), IPv4-compatible
 * (::/96), Teredo (2001::/32).
 */
function embeddedIpv4(bytes: Buffer): string | undefined {
  const high = bytes.readBigUInt64BE(0);
  if (high === 0x0064_ff9b_0000_0000n && bytes.readUInt32BE(8) === 0) return bytes.subarray(12).join(".");
  if (bytes.readUInt16BE(0) === 0x2002) return bytes.subarray(2, 6).join(".");
  if (high === 0n && bytes.readUInt32BE(8) === 0) return bytes.subarray(12).join(".");
  if (bytes.readUInt32BE(0) === 0x2001_0000) return [...bytes.subarray(12)].map((byte) => byte ^ 0xff).join(".");
  return undefined;
}

/**
 * Whether a target is closed to proxy users and to addresses that operators type: private ranges, also behind
 * IPv4-mapped, NAT64, 6to4 and Teredo forms. Text that is no IP address counts as private, so that a caller who forgot
 * to resolve a name fails closed.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 0 || privateRanges.contains(plain)) return true;
  if (family === 4) return false;
  const inner = embeddedIpv4(ipv6Bytes(plain));
  return inner !== undefined && privateRanges.contains(inner);
}

/** Names that every host has for itself. */
const OWN_NAMES = ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"];

/**
 * Whether a host is written as loopback or private: an address in any notation that resolvers take (`127.1`,
 * `0x7f000001`, `[::1]`, with a trailing dot), or a name for the host itself. Other names are not looked up. What can
 * be no host counts as private.
 */
export function isPrivateHost(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(plain) !== 0) return isPrivateAddress(plain);
  const url = /^[^\s:/?#@\\[\]]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  if (!url) return true;
  const name = url.hostname.replace(/\.+$/, "");
  return isIP(name) === 0
    ? name === "" || OWN_NAMES.includes(name) || name.endsWith(".localhost")
    : isPrivateAddress(name);
}

/**
 * One text for all spellings of a host that reach the same place without looking a name up: letter case, international
 * names, a trailing dot, every notation of an IPv4 address, an IPv4-mapped one, the spellings of IPv6. What can be no
 * host is its own text in lower case.
 */
export function hostKey(host: string): string {
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  const url = URL.parse(`http://${plain.includes(":") ? `[${plain}]` : plain}`);
  const name = (url?.hostname ?? plain.toLowerCase()).replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
  return unmapped(name);
}
