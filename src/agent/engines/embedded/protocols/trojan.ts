// Trojan: the request head, and the addressed packets of UDP ASSOCIATE. Pure: bytes in, meaning out.
import { encodeTarget, parseTarget, SOCKS_ADDRESS } from "./address.ts";
import type { Target } from "./address.ts";
import { done, MORE, refused } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

export interface TrojanHead {
  /** SHA-224 of the password, 56 hexadecimal digits in lower case. */
  readonly key: string;
  readonly network: "tcp" | "udp";
  readonly target: Target;
}

export interface TrojanPacket {
  readonly target: Target;
  /** A view on the input. */
  readonly payload: Buffer;
}

const KEY_LENGTH = 56;

function lineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === 13 && bytes[at + 1] === 10;
}

/** Reads key, CRLF, command, address, port, CRLF. */
export function parseTrojanHead(bytes: Buffer): Parsed<TrojanHead> {
  const seen = Math.min(bytes.length, KEY_LENGTH);
  for (let i = 0; i < seen; i++) {
    const byte = bytes[i] ?? 0;
    if (!((byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102)))
      return refused("the key is not lower-case hexadecimal");
  }
  if (bytes.length < KEY_LENGTH + 3) return MORE;
  if (!lineEnd(bytes, KEY_LENGTH)) return refused("no line end after the key");
  const command = bytes[KEY_LENGTH + 2];
  if (command !== 1 && command !== 3) return refused(`command ${command} is unknown`);
  const target = parseTarget(bytes, KEY_LENGTH + 3, SOCKS_ADDRESS);
  if (target.state !== "done") return target;
  const end = KEY_LENGTH + 3 + target.length;
  if (bytes.length < end + 2) return MORE;
  if (!lineEnd(bytes, end)) return refused("no line end after the address");
  return done(
    { key: bytes.toString("latin1", 0, KEY_LENGTH), network: command === 1 ? "tcp" : "udp", target: target.value },
    end + 2,
  );
}

/** Reads address, port, length, CRLF, payload. */
export function parseTrojanPacket(bytes: Buffer): Parsed<TrojanPacket> {
  const target = parseTarget(bytes, 0, SOCKS_ADDRESS);
  if (target.state !== "done") return target;
  const at = target.length;
  if (bytes.length < at + 4) return MORE;
  if (!lineEnd(bytes, at + 2)) return refused("no line end before the packet");
  const end = at + 4 + bytes.readUInt16BE(at);
  return bytes.length < end ? MORE : done({ target: target.value, payload: bytes.subarray(at + 4, end) }, end);
}

/** A packet that came from `source`. `payload` holds at most 65,535 bytes. */
export function encodeTrojanPacket(source: Target, payload: Buffer): Buffer {
  const head = encodeTarget(source, SOCKS_ADDRESS);
  const out = Buffer.allocUnsafe(head.length + 4 + payload.length);
  head.copy(out);
  out.writeUInt16BE(payload.length, head.length);
  out.writeUInt16BE(0x0d0a, head.length + 2);
  payload.copy(out, head.length + 4);
  return out;
}
