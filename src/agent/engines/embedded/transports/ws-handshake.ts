// The opening handshake of a WebSocket server (RFC 6455 section 4.2), with early data. Pure: bytes in, answer out.
import { createHash } from "node:crypto";
import { headEnd, parseFields } from "../protocols/http.ts";
import { done, MORE, refused } from "../protocols/parsed.ts";
import type { Parsed } from "../protocols/parsed.ts";

export const MAX_WS_HEAD_BYTES = 16 * 1024;
const MAX_EARLY_DATA_BYTES = 8 * 1024;
const EARLY_DATA_FIELD = "sec-websocket-protocol";

/** What a listener asks of a WebSocket client. */
export interface WsOptions {
  /** With its leading slash, without a query. */
  readonly path: string;
  /** Accepted values of Host, lower-case; empty = any. */
  readonly hosts: readonly string[];
  readonly maxEarlyData: number;
  /** Lower-case field name; "" while `maxEarlyData` > 0 means that early data follows the path. */
  readonly earlyDataField: string;
}

export interface WsOpening {
  readonly answer: Buffer;
  /** The tunnel's first bytes, sent within the handshake. */
  readonly earlyData: Buffer;
}

/** Reads a whole request head. A refusal means: answer `WS_REFUSAL` and close. */
export function parseWsOpening(bytes: Buffer, options: WsOptions): Parsed<WsOpening> {
  if (bytes.length > 0 && bytes[0] !== 71) return refused("the request is not a GET");
  const end = headEnd(bytes, MAX_WS_HEAD_BYTES);
  if (end === undefined) return bytes.length >= MAX_WS_HEAD_BYTES ? refused("the head is too long") : MORE;
  const [requestLine = "", ...lines] = bytes.toString("latin1", 0, end - 4).split("\r\n");
  const uri = /^GET (\/\S*) HTTP\/1\.1$/.exec(requestLine)?.[1];
  const list = parseFields(lines);
  if (uri === undefined || !list) return refused("the request is malformed");
  const fields = new Map(list.map(([name, value]) => [name.toLowerCase(), value]));
  const key = fields.get("sec-websocket-key") ?? "";
  if (
    !/(^|,)\s*upgrade\s*(,|$)/i.test(fields.get("connection") ?? "") ||
    fields.get("upgrade")?.toLowerCase() !== "websocket"
  )
    return refused("no upgrade to WebSocket");
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key) || fields.get("sec-websocket-version") !== "13")
    return refused("the key or version is not of RFC 6455");
  const host = (fields.get("host") ?? "").toLowerCase().replace(/:\d+$/, "");
  if (options.hosts.length > 0 && !options.hosts.includes(host)) return refused("the host is not served");
  const early = earlyData(uri, fields, options);
  if (early === undefined) return refused("the path is not served or the early data is malformed");
  const echoed = early.fromProtocols ? `Sec-WebSocket-Protocol: ${fields.get(EARLY_DATA_FIELD)}\r\n` : "";
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const answer = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${echoed}\r\n`;
  return done({ answer: Buffer.from(answer, "latin1"), earlyData: early.bytes }, end);
}

/**
 * Early data comes in the configured field, after the path, or (whatever is configured, as Xray clients with `?ed=` do)
 * in Sec-WebSocket-Protocol, which then must be echoed: a client that offered protocols takes an answer that names none
 * for a failure.
 */
function earlyData(
  uri: string,
  fields: ReadonlyMap<string, string>,
  options: WsOptions,
): { bytes: Buffer; fromProtocols: boolean } | undefined {
  const path = uri.split("?", 1)[0] ?? "";
  if (options.maxEarlyData > 0 && options.earlyDataField === "") {
    const bytes = path.startsWith(options.path) ? decode(path.slice(options.path.length)) : undefined;
    return bytes && { bytes, fromProtocols: false };
  }
  if (path !== options.path) return undefined;
  const name = options.maxEarlyData > 0 ? options.earlyDataField : EARLY_DATA_FIELD;
  const bytes = decode(fields.get(name) ?? "");
  if (bytes) return { bytes, fromProtocols: name === EARLY_DATA_FIELD && bytes.length > 0 };
  return undefined;
}

function decode(text: string): Buffer | undefined {
  const plain = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]*$/.test(plain) || plain.length % 4 === 1 || plain.length > (MAX_EARLY_DATA_BYTES * 4) / 3)
    return undefined;
  return Buffer.from(plain, "base64url");
}

export const WS_REFUSAL = Buffer.from("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
