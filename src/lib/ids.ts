// Random names and tokens. Randomness comes as an argument, so that tests and replays can fix it.
import { hash, randomBytes } from "node:crypto";

/** A source of `size` cryptographically random bytes. */
export type RandomSource = (size: number) => Uint8Array;

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** `length` letters and digits, each equally likely (bytes that would bias the choice are thrown away). */
export function alphanumeric(length: number, random: RandomSource = randomBytes): string {
  const limit = 256 - (256 % ALPHANUMERIC.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < limit) text += ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length);
    }
  }
  return text;
}

/**
 * Random bytes that are drawn many at a time, as one draw costs more than what a name is made of. For names that are no
 * secret: the bytes lie in memory before they are used.
 */
export function pooledRandom(size = 4096, random: RandomSource = randomBytes): RandomSource {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (wanted) => {
    if (used + wanted > pool.length) {
      pool = random(Math.max(size, wanted));
      used = 0;
    }
    used += wanted;
    return pool.subarray(used - wanted, used);
  };
}

/** The value of a session cookie: 256 bits, 43 characters base64url. */
export function sessionToken(random: RandomSource = randomBytes): string {
  return base64url(random(32));
}

/** The plaintext of an API token: `sbx_` and 43 characters. */
export function apiToken(random: RandomSource = randomBytes): string {
  return `sbx_${base64url(random(32))}`;
}

/** A subscription identifier: 16 letters and digits. No `-` or `_`, which messengers cut off the end of a link. */
export function subId(random: RandomSource = randomBytes): string {
  return alphanumeric(16, random);
}

/** A subscription token: 32 hex digits. */
export function subToken(random: RandomSource = randomBytes): string {
  return Buffer.from(random(16)).toString("hex");
}

/** A generated account password: 22 url-safe characters, 128 bits. */
export function accountPassword(random: RandomSource = randomBytes): string {
  return base64url(random(16));
}

/** A random UUID (version 4). */
export function uuidV4(random: RandomSource = randomBytes): string {
  const bytes = Buffer.from(random(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A Shadowsocks 2022 key: base64 of 16 or 32 random bytes. */
export function shadowsocksKey(bytes: 16 | 32, random: RandomSource = randomBytes): string {
  return Buffer.from(random(bytes)).toString("base64");
}

/** SHA-256 in hex: how tokens and sessions are stored. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}
