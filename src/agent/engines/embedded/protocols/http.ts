// The HTTP proxy's request head: CONNECT, and requests in absolute form (RFC 9110 section 9.3.6, RFC 9112 section 3.2).
// Pure: bytes in, meaning out.
import { normalHost } from "./address.ts";
import type { Target } from "./address.ts";
import { done, MORE, refused } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

export interface HttpProxyHead {
  readonly target: Target;
  /** Credentials of `Proxy-Authorization: Basic`; undefined when the header is missing or not readable. */
  readonly credentials: { readonly name: string; readonly password: string } | undefined;
  /** The head to send to the target in place of the one read; undefined for CONNECT. */
  readonly forward: Buffer | undefined;
}

export const MAX_HTTP_HEAD_BYTES = 16 * 1024;
export const HTTP_CONNECTED = Buffer.from("HTTP/1.1 200 Connection established\r\n\r\n");

/** A final answer without a body. */
export function encodeHttpRefusal(status: 400 | 403 | 407 | 502): Buffer {
  const reason = { 400: "Bad Request", 403: "Forbidden", 407: "Proxy Authentication Required", 502: "Bad Gateway" }[
    status
  ];
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="proxy"\r\n' : "";
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** Field lines of a head as [name, value]; undefined when one is malformed (folded lines too). */
export function parseFields(lines: readonly string[]): [name: string, value: string][] | undefined {
  const fields: [string, string][] = [];
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) return undefined;
    fields.push([match[1], match[2]]);
  }
  return fields;
}

/** The end of a head (after its empty line), or undefined while it is not there. Only `limit` bytes are searched. */
export function headEnd(bytes: Buffer, limit: number): number | undefined {
  const at = bytes.subarray(0, limit).indexOf("\r\n\r\n");
  return at < 0 ? undefined : at + 4;
}

export function parseHttpProxyHead(bytes: Buffer): Parsed<HttpProxyHead> {
  const end = headEnd(bytes, MAX_HTTP_HEAD_BYTES);
  if (bytes.length > 0 && !((bytes[0] ?? 0) >= 65 && (bytes[0] ?? 0) <= 90))
    return refused("the method does not begin with a capital letter");
  if (end === undefined) return bytes.length >= MAX_HTTP_HEAD_BYTES ? refused("the head is too long") : MORE;
  const [requestLine = "", ...lines] = bytes.toString("latin1", 0, end - 4).split("\r\n");
  const request = /^([A-Z]{1,20}) (\S+) HTTP\/1\.[01]$/.exec(requestLine);
  const [, method = "", uri = ""] = request ?? [];
  if (!request) return refused("the request line is malformed");
  const fields = parseFields(lines);
  if (!fields) return refused("a field line is malformed");
  const credentials = basicCredentials(fields.find(([name]) => name.toLowerCase() === "proxy-authorization")?.[1]);
  if (method === "CONNECT") {
    const target = authority(uri, undefined);
    return target ? done({ target, credentials, forward: undefined }, end) : refused("CONNECT needs host:port");
  }
  const absolute = /^http:\/\/([^/?#@\s]+)([/?][^#\s]*)?$/i.exec(uri);
  const target = authority(absolute?.[1] ?? "", 80);
  if (!absolute || !target) return refused("the request is not in absolute form");
  return done(
    {
      target,
      credentials,
      forward: originForm(method, absolute[1] ?? "", absolute[2] ?? "/", requestLine.slice(-8), fields),
    },
    end,
  );
}

/**
 * One request a connection: hop-by-hop fields go, `Connection: close` makes the target end it, so no second request can
 * slip through to a wrong host.
 */
function originForm(
  method: string,
  host: string,
  path: string,
  version: string,
  fields: readonly [string, string][],
): Buffer {
  const named = fields
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(/[ \t]*,[ \t]*/));
  const hop = new Set([
    "host",
    "connection",
    "proxy-connection",
    "proxy-authorization",
    "proxy-authenticate",
    "keep-alive",
    "te",
    "upgrade",
    ...named,
  ]);
  const kept = fields.filter(([name]) => !hop.has(name.toLowerCase())).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method} ${path.startsWith("/") ? path : `/${path}`} ${version}\r\nHost: ${host}\r\n${kept.join("")}Connection: close\r\n\r\n`,
    "latin1",
  );
}

function authority(text: string, defaultPort: number | undefined): Target | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = normalHost(match?.[1] ?? match?.[2] ?? "");
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  return host === undefined || port === undefined || port > 65_535 ? undefined : { host, port };
}

function basicCredentials(field: string | undefined): HttpProxyHead["credentials"] {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(field ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
