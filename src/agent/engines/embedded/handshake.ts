// Each protocol's opening talk, bound to the users: from a client's first bytes to a wish that is known to be an
// authorised user's.
import type { Target } from "./protocols/address.ts";
import { encodeHttpRefusal, HTTP_CONNECTED, MAX_HTTP_HEAD_BYTES, parseHttpProxyHead } from "./protocols/http.ts";
import { done } from "./protocols/parsed.ts";
import type { Parsed } from "./protocols/parsed.ts";
import {
  encodeSocksReply,
  parseSocksCredentials,
  parseSocksGreeting,
  parseSocksRequest,
  SOCKS_NO_METHOD,
  SOCKS_PASSWORD_BAD,
  SOCKS_PASSWORD_GOOD,
  SOCKS_USE_PASSWORD,
  SocksReply,
} from "./protocols/socks.ts";
import { encodeTrojanPacket, parseTrojanHead, parseTrojanPacket } from "./protocols/trojan.ts";
import { encodeVlessPacket, parseVlessHead, parseVlessPacket, VLESS_ANSWER } from "./protocols/vless.ts";
import { encodeXudpPacket, parseXudpFrame, parseXudpHead } from "./protocols/xudp.ts";
import type { LiveUser } from "./live-user.ts";
import type { UsersOnInbound } from "./users.ts";
import { RefusedError } from "./way-out.ts";

/** Datagrams within a stream. */
export interface PacketCodec {
  /** `value` undefined: what was read carries no packet. */
  parse(bytes: Buffer): Parsed<{ target: Target; payload: Buffer } | undefined>;
  encode(source: Target, payload: Buffer): Buffer;
  /** Every packet names its own target. */
  readonly addressed: boolean;
}

/** What an authorised user asks for. */
export interface Wish {
  readonly user: LiveUser;
  readonly target: Target;
  /**
   * A TCP connection; datagrams within this stream; or datagrams on a separate port (SOCKS5), which live as long as the
   * stream.
   */
  readonly carry: "stream" | PacketCodec | "datagrams";
  /** Sent once the target is connected. */
  readonly opened?: Buffer;
  /** Sent before the first bytes to the client. */
  readonly answer?: Buffer;
  /** Sent to the target before the client's further bytes. */
  readonly first?: Buffer;
  /** What a client is told when the target cannot be had; undefined: nothing, the connection just closes. */
  readonly failed?: (error: unknown) => Buffer;
}

export type Step =
  | { step: "more" }
  | { step: "reply"; bytes: Buffer; length: number }
  | { step: "refuse"; reason: string; reply?: Buffer }
  | { step: "open"; wish: Wish; length: number };

/** Fed with all bytes not yet taken; `length` says how many a step took. */
export interface Handshake {
  next(bytes: Buffer): Step;
  /** More bytes than this without a result are an attack. */
  readonly maxBytes: number;
}

export type Protocol = "vless" | "trojan" | "socks" | "http" | "mixed";

const MAX_HEAD_BYTES = 4096;
const UNKNOWN_USER = { step: "refuse", reason: "the user is unknown" } as const;

export function handshake(protocol: Protocol, users: UsersOnInbound): Handshake {
  if (protocol === "vless") return { maxBytes: MAX_HEAD_BYTES, next: (bytes) => vless(bytes, users) };
  if (protocol === "trojan") return { maxBytes: MAX_HEAD_BYTES, next: (bytes) => trojan(bytes, users) };
  if (protocol === "http") return { maxBytes: MAX_HTTP_HEAD_BYTES, next: (bytes) => http(bytes, users) };
  const socks = new SocksHandshake(users);
  if (protocol === "socks") return socks;
  // The first byte tells: a SOCKS version, or a letter of a method. `next` is only called with bytes.
  let chosen: Handshake | undefined;
  return {
    maxBytes: MAX_HTTP_HEAD_BYTES,
    next: (bytes) => (chosen ??= bytes[0] === 5 ? socks : handshake("http", users)).next(bytes),
  };
}

function vless(bytes: Buffer, users: UsersOnInbound): Step {
  const parsed = parseVlessHead(bytes);
  if (parsed.state !== "done") return unready(parsed);
  const head = parsed.value;
  const user = users.byUuidKey(head.uuid);
  if (!user) return UNKNOWN_USER;
  if (head.network === "mux") return xudp(bytes.subarray(parsed.length), parsed.length, user);
  const { network, target } = head;
  return {
    step: "open",
    length: parsed.length,
    wish: { user, target, carry: network === "tcp" ? "stream" : vlessPackets(target), answer: VLESS_ANSWER },
  };
}

/** The head of the first frame says where to. It is read again with the packets, of which it begins the first. */
function xudp(bytes: Buffer, length: number, user: LiveUser): Step {
  const head = parseXudpHead(bytes);
  if (head.state !== "done") return unready(head);
  const { target } = head.value;
  if (!target) return { step: "refuse", reason: "the session names no target" };
  return { step: "open", length, wish: { user, target, carry: xudpPackets(target), answer: VLESS_ANSWER } };
}

function xudpPackets(first: Target): PacketCodec {
  let target = first;
  return {
    addressed: true,
    parse: (bytes) => {
      const frame = parseXudpFrame(bytes);
      if (frame.state !== "done") return frame;
      target = frame.value.target ?? target;
      const { payload } = frame.value;
      return done(payload && { target, payload }, frame.length);
    },
    encode: encodeXudpPacket,
  };
}

function vlessPackets(target: Target): PacketCodec {
  return {
    addressed: false,
    parse: (bytes) => {
      const parsed = parseVlessPacket(bytes);
      return parsed.state === "done" ? done({ target, payload: parsed.value }, parsed.length) : parsed;
    },
    encode: (_source, payload) => encodeVlessPacket(payload),
  };
}

const TROJAN_PACKETS: PacketCodec = { addressed: true, parse: parseTrojanPacket, encode: encodeTrojanPacket };

function trojan(bytes: Buffer, users: UsersOnInbound): Step {
  const parsed = parseTrojanHead(bytes);
  if (parsed.state !== "done") return unready(parsed);
  const { key, network, target } = parsed.value;
  const user = users.byTrojanKey(key);
  if (!user) return UNKNOWN_USER;
  return {
    step: "open",
    length: parsed.length,
    wish: { user, target, carry: network === "tcp" ? "stream" : TROJAN_PACKETS },
  };
}

function http(bytes: Buffer, users: UsersOnInbound): Step {
  const parsed = parseHttpProxyHead(bytes);
  if (parsed.state === "more") return { step: "more" };
  if (parsed.state === "refused") return { step: "refuse", reason: parsed.reason, reply: encodeHttpRefusal(400) };
  const { target, credentials, forward } = parsed.value;
  const user = users.byPassword(credentials?.name ?? "", credentials?.password ?? "");
  if (!user) return { ...UNKNOWN_USER, reply: encodeHttpRefusal(407) };
  const wish: Wish = {
    user,
    target,
    carry: "stream",
    failed: httpFailure,
    ...(forward ? { first: forward } : { opened: HTTP_CONNECTED }),
  };
  return { step: "open", length: parsed.length, wish };
}

function httpFailure(error: unknown): Buffer {
  return encodeHttpRefusal(error instanceof RefusedError ? 403 : 502);
}

/** Three phases: methods, user name and password, request. */
class SocksHandshake implements Handshake {
  readonly maxBytes = MAX_HEAD_BYTES;
  readonly #users: UsersOnInbound;
  #phase: "greeting" | "credentials" | "request" = "greeting";
  #user: LiveUser | undefined;

  constructor(users: UsersOnInbound) {
    this.#users = users;
  }

  next(bytes: Buffer): Step {
    if (this.#phase === "greeting") return this.#greeting(bytes);
    if (this.#phase === "credentials") return this.#credentials(bytes);
    return this.#request(bytes);
  }

  #greeting(bytes: Buffer): Step {
    const parsed = parseSocksGreeting(bytes);
    if (parsed.state !== "done") return unready(parsed);
    if (!parsed.value) return { step: "refuse", reason: "no password is offered", reply: SOCKS_NO_METHOD };
    this.#phase = "credentials";
    return { step: "reply", bytes: SOCKS_USE_PASSWORD, length: parsed.length };
  }

  #credentials(bytes: Buffer): Step {
    const parsed = parseSocksCredentials(bytes);
    if (parsed.state !== "done") return unready(parsed);
    this.#user = this.#users.byPassword(parsed.value.name, parsed.value.password);
    if (!this.#user) return { ...UNKNOWN_USER, reply: SOCKS_PASSWORD_BAD };
    this.#phase = "request";
    return { step: "reply", bytes: SOCKS_PASSWORD_GOOD, length: parsed.length };
  }

  #request(bytes: Buffer): Step {
    const parsed = parseSocksRequest(bytes);
    if (parsed.state !== "done") return unready(parsed);
    const { command, target } = parsed.value;
    if (!this.#user || command === "other")
      return {
        step: "refuse",
        reason: "the command is not served",
        reply: encodeSocksReply(SocksReply.commandNotSupported),
      };
    const wish: Wish = {
      user: this.#user,
      target,
      carry: command === "connect" ? "stream" : "datagrams",
      failed: (error) => encodeSocksReply(socksCode(error)),
      ...(command === "connect" ? { opened: encodeSocksReply(SocksReply.succeeded) } : {}),
    };
    return { step: "open", length: parsed.length, wish };
  }
}

function socksCode(error: unknown): number {
  if (error instanceof RefusedError) return SocksReply.notAllowed;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ECONNREFUSED") return SocksReply.connectionRefused;
  return code === "ENOTFOUND" || code === "EHOSTUNREACH" || code === "ENETUNREACH"
    ? SocksReply.hostUnreachable
    : SocksReply.failure;
}

function unready(parsed: { state: "more" } | { state: "refused"; reason: string }): Step {
  return parsed.state === "more" ? { step: "more" } : { step: "refuse", reason: parsed.reason };
}
