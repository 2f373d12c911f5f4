// XUDP: how Xray and sing-box carry datagrams over VLESS. Frames of Mux.Cool with one session, of which every packet
// may name its own target. Pure: bytes in, meaning out.
import { encodeTarget, parseHost, VLESS_ADDRESS } from "./address.ts";
import type { Target } from "./address.ts";
import { done, MORE, refused } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

export interface XudpHead {
  /** Absent: that of the packet before. */
  readonly target: Target | undefined;
  /** Whether a length and so many bytes follow. */
  readonly hasData: boolean;
  /** The frame only keeps the session alive: its data is nobody's. */
  readonly alive: boolean;
}

export interface XudpFrame {
  readonly target: Target | undefined;
  /** Absent: there is no packet. A view on the input. */
  readonly payload: Buffer | undefined;
}

const Status = { new: 1, keep: 2, end: 3, alive: 4 } as const;
const UDP = 2;
const HAS_DATA = 1;
/** Session, status and options. */
const SHORTEST = 4;
/** Those, a name of 255 bytes and the client's own id of the session; more is an attack. */
const LONGEST = 512;

/**
 * Reads the length of a frame's head, and the head. Refused: a session of TCP or a second one, which would be general
 * multiplexing; the end of the session.
 */
export function parseXudpHead(bytes: Buffer): Parsed<XudpHead> {
  if (bytes.length < 2) return MORE;
  const size = bytes.readUInt16BE(0);
  if (size < SHORTEST || size > LONGEST) return refused(`a head of ${size} bytes is none`);
  const length = 2 + size;
  if (bytes.length < length) return MORE;
  const head = bytes.subarray(2, length);
  const [status, options = 0] = [head[2], head[3]];
  if (head.readUInt16BE(0) !== 0) return refused("mux is not served");
  if (status === Status.end) return refused("the session ended");
  if (status !== Status.new && status !== Status.keep && status !== Status.alive)
    return refused(`status ${status} is unknown`);
  const alive = status === Status.alive;
  const hasData = (options & HAS_DATA) !== 0;
  if (status === Status.new && size === SHORTEST) return refused("the session names no target");
  if (alive || size === SHORTEST) return done({ target: undefined, hasData, alive }, length);
  const target = targetOf(head);
  return target.state === "done" ? done({ target: target.value, hasData, alive }, length) : target;
}

/** Reads a head and the data that follows it. */
export function parseXudpFrame(bytes: Buffer): Parsed<XudpFrame> {
  const head = parseXudpHead(bytes);
  if (head.state !== "done") return head;
  const { length } = head;
  const { target, hasData, alive } = head.value;
  if (!hasData) return done({ target, payload: undefined }, length);
  if (bytes.length < length + 2) return MORE;
  const end = length + 2 + bytes.readUInt16BE(length);
  if (bytes.length < end) return MORE;
  return done({ target, payload: alive ? undefined : bytes.subarray(length + 2, end) }, end);
}

/** Network, port, host. What comes after it (the client's id of the session) is passed over. */
function targetOf(head: Buffer): { state: "done"; value: Target } | { state: "refused"; reason: string } {
  if (head[SHORTEST] !== UDP) return refused("mux is not served");
  if (head.length < SHORTEST + 3) return refused("the address is cut");
  const host = parseHost(head, SHORTEST + 3, VLESS_ADDRESS);
  if (host.state === "more") return refused("the address is cut");
  if (host.state === "refused") return host;
  return { state: "done", value: { host: host.value, port: head.readUInt16BE(SHORTEST + 1) } };
}

/** A packet that came from `source`. `payload` holds at most 65,535 bytes. */
export function encodeXudpPacket(source: Target, payload: Buffer): Buffer {
  const address = encodeTarget(source, VLESS_ADDRESS);
  const host = address.subarray(0, -2);
  const size = SHORTEST + 1 + address.length;
  const out = Buffer.alloc(2 + size + 2 + payload.length);
  out.writeUInt16BE(size, 0);
  out[4] = Status.keep;
  out[5] = HAS_DATA;
  out[6] = UDP;
  out.writeUInt16BE(source.port, 7);
  host.copy(out, 9);
  out.writeUInt16BE(payload.length, 2 + size);
  payload.copy(out, 4 + size);
  return out;
}
