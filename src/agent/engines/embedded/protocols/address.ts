// Addresses as VLESS, Trojan and SOCKS5 carry them: a type byte, then four bytes, sixteen bytes, or a counted name.
import { isIP } from "node:net";
import { done, MORE, refused } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

/**
 * Where a client wants to go. `host` is an IP literal in canonical text or a lower-case name without a trailing dot.
 */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** The type bytes of a protocol. */
export interface AddressTypes {
  readonly ipv4: number;
  readonly name: number;
  readonly ipv6: number;
}

/** SOCKS5 (RFC 1928, section 5) and Trojan. */
export const SOCKS_ADDRESS: AddressTypes = { ipv4: 1, name: 3, ipv6: 4 };
export const VLESS_ADDRESS: AddressTypes = { ipv4: 1, name: 2, ipv6: 3 };

/**
 * A host as text, or undefined when it is neither an address nor a name that DNS could hold. Addresses that come as
 * names ("127.0.0.1") are addresses; zones ("fe80::1%eth0") are refused, so that no text form escapes the check for
 * private targets.
 */
export function normalHost(text: string): string | undefined {
  if (isIP(text) !== 0) return text.includes("%") ? undefined : canonicalAddress(text);
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/.test(text)) return undefined;
  return (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
}

function canonicalAddress(text: string): string {
  return text.includes(":") ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

/** An IPv6 address in canonical text (RFC 5952) from its sixteen bytes at `at`. */
export function ipv6Text(bytes: Buffer, at: number): string {
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(bytes.readUInt16BE(at + i).toString(16));
  return canonicalAddress(groups.join(":"));
}

/** Reads a type byte and an address at `at`; `length` counts from `at`. */
export function parseHost(bytes: Buffer, at: number, types: AddressTypes): Parsed<string> {
  const type = bytes[at];
  if (type === undefined) return MORE;
  if (type === types.ipv4) {
    if (bytes.length < at + 5) return MORE;
    return done(`${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}.${bytes[at + 4]}`, 5);
  }
  if (type === types.ipv6) {
    if (bytes.length < at + 17) return MORE;
    return done(ipv6Text(bytes, at + 1), 17);
  }
  if (type !== types.name) return refused(`address type ${type} is unknown`);
  const size = bytes[at + 1];
  if (size === undefined) return MORE;
  if (size === 0) return refused("the name is empty");
  if (bytes.length < at + 2 + size) return MORE;
  const host = normalHost(bytes.toString("latin1", at + 2, at + 2 + size));
  return host === undefined ? refused("the name has characters that no name has") : done(host, 2 + size);
}

/** Reads host, then port (SOCKS5 and Trojan order). */
export function parseTarget(bytes: Buffer, at: number, types: AddressTypes): Parsed<Target> {
  const host = parseHost(bytes, at, types);
  if (host.state !== "done") return host;
  if (bytes.length < at + host.length + 2) return MORE;
  return done({ host: host.value, port: bytes.readUInt16BE(at + host.length) }, host.length + 2);
}

/** The bytes of an address with its type, then port. `host` must be an address or a name of at most 255 bytes. */
export function encodeTarget(target: Target, types: AddressTypes): Buffer {
  const family = isIP(target.host);
  const head =
    family === 4
      ? ipv4Bytes(target.host, types)
      : family === 6
        ? ipv6Bytes(target.host, types)
        : nameBytes(target.host, types);
  const out = Buffer.allocUnsafe(head.length + 2);
  head.copy(out);
  out.writeUInt16BE(target.port, head.length);
  return out;
}

function ipv4Bytes(host: string, types: AddressTypes): Buffer {
  return Buffer.from([types.ipv4, ...host.split(".").map(Number)]);
}

function nameBytes(host: string, types: AddressTypes): Buffer {
  const name = Buffer.from(host, "latin1");
  return Buffer.concat([Buffer.from([types.name, name.length]), name]);
}

function ipv6Bytes(host: string, types: AddressTypes): Buffer {
  return Buffer.from([types.ipv6, ...addressBytes(host)]);
}

/** The four or sixteen bytes of an address literal. A zone is ignored. Throws for text that is no address. */
export function addressBytes(address: string): number[] {
  const plain = address.split("%", 1)[0] ?? "";
  const family = isIP(plain);
  if (family === 4) return plain.split(".").map(Number);
  if (family !== 6) throw new Error(`${address} is not an IP address`);
  const [left = "", right] = canonicalAddress(plain).split("::");
  const head = groupValues(left);
  const tail = groupValues(right);
  const all = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return all.flatMap((group) => [group >> 8, group & 255]);
}

function groupValues(part: string | undefined): number[] {
  return part === undefined || part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
}

/** "host:port", with brackets around IPv6. */
export function targetText(target: Target): string {
  return target.host.includes(":") ? `[${target.host}]:${target.port}` : `${target.host}:${target.port}`;
}
