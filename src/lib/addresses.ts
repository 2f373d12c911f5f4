// IP addresses and ranges: lists that operators type, and the key under which sources are counted. What is written in
// headers and logs is read by `written-address.ts`; which targets are private says `private-addresses.ts`.
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
export function ipv6Bytes(address: string): Buffer {
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
  // A port or a zone says more than an address does: a list with one would hold something else than it seems to.
  if (family === 0 || more.length > 0 || address.includes("%"))
    throw new AddressError(entry, `"${entry}" is not an IP address or CIDR`);
  const plain = unmapped(address);
  const bits = family === 4 ? 32 : 128;
  const prefix = prefixText === undefined ? bits : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  if (!(prefix <= bits)) throw new AddressError(entry, `"${entry}" has no valid prefix length`);
  if (family === 4) list.addSubnet(plain, prefix, "ipv4");
  else if (isIPv4(plain) && prefix >= 96) list.addSubnet(plain, prefix - 96, "ipv4");
  else list.addSubnet(address, prefix, "ipv6");
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
