// SOCKS5 (RFC 1928) with user name and password (RFC 1929): the server's half. Pure: bytes in, meaning out.
import { encodeTarget, parseTarget, SOCKS_ADDRESS } from "./address.ts";
import type { Target } from "./address.ts";
import { done, MORE, refused } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

export const SocksReply = {
  succeeded: 0,
  failure: 1,
  notAllowed: 2,
  hostUnreachable: 4,
  connectionRefused: 5,
  commandNotSupported: 7,
} as const;

/** Answers of the two phases before the request. */
export const SOCKS_USE_PASSWORD = Buffer.from([5, 2]);
export const SOCKS_NO_METHOD = Buffer.from([5, 255]);
export const SOCKS_PASSWORD_GOOD = Buffer.from([1, 0]);
export const SOCKS_PASSWORD_BAD = Buffer.from([1, 1]);

export interface SocksRequest {
  readonly command: "connect" | "associate" | "other";
  readonly target: Target;
}

/** The client's methods; `value` tells whether user name and password is among them. */
export function parseSocksGreeting(bytes: Buffer): Parsed<boolean> {
  if (bytes.length === 0) return MORE;
  if (bytes[0] !== 5) return refused(`version ${bytes[0]} is unknown`);
  const count = bytes[1];
  if (count === undefined || bytes.length < 2 + count) return MORE;
  return done(bytes.subarray(2, 2 + count).includes(2), 2 + count);
}

export function parseSocksCredentials(bytes: Buffer): Parsed<{ name: string; password: string }> {
  if (bytes.length === 0) return MORE;
  if (bytes[0] !== 1) return refused(`password version ${bytes[0]} is unknown`);
  const nameSize = bytes[1];
  if (nameSize === undefined) return MORE;
  const passwordSize = bytes[2 + nameSize];
  if (passwordSize === undefined) return MORE;
  const end = 3 + nameSize + passwordSize;
  if (bytes.length < end) return MORE;
  return done(
    { name: bytes.toString("utf8", 2, 2 + nameSize), password: bytes.toString("utf8", 3 + nameSize, end) },
    end,
  );
}

export function parseSocksRequest(bytes: Buffer): Parsed<SocksRequest> {
  if (bytes.length > 0 && bytes[0] !== 5) return refused(`version ${bytes[0]} is unknown`);
  if (bytes.length < 4) return MORE;
  if (bytes[2] !== 0) return refused("the reserved byte is not zero");
  const target = parseTarget(bytes, 3, SOCKS_ADDRESS);
  if (target.state !== "done") return target;
  const command = bytes[1] === 1 ? "connect" : bytes[1] === 3 ? "associate" : "other";
  return done({ command, target: target.value }, 3 + target.length);
}

/** The answer to a request; `bound` is where the server listens for this client's datagrams. */
export function encodeSocksReply(code: number, bound: Target = { host: "0.0.0.0", port: 0 }): Buffer {
  return Buffer.concat([Buffer.from([5, code, 0]), encodeTarget(bound, SOCKS_ADDRESS)]);
}

/**
 * A whole datagram; fragments are refused (RFC 1928 section 7 lets a server drop them). `payload` is a view on the
 * input.
 */
export function parseSocksDatagram(bytes: Buffer): Parsed<{ target: Target; payload: Buffer }> {
  if (bytes.length < 4) return refused("the datagram is too short");
  if (bytes[0] !== 0 || bytes[1] !== 0 || bytes[2] !== 0) return refused("the datagram is a fragment");
  const target = parseTarget(bytes, 3, SOCKS_ADDRESS);
  if (target.state === "more") return refused("the datagram is cut short");
  if (target.state === "refused") return target;
  return done({ target: target.value, payload: bytes.subarray(3 + target.length) }, bytes.length);
}

export function encodeSocksDatagram(source: Target, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0]), encodeTarget(source, SOCKS_ADDRESS), payload]);
}
