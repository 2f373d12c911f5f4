// What is no request that can be read: bytes that are no HTTP, header fields past Node's limit, requests that take too
// long to arrive.
import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal } from "../refusals/errors.ts";
import { newRequestId, requestIdFor } from "./request-id.ts";
import { API_POLICY, SECURITY_HEADERS } from "../answers/replies.ts";

/** A JSON body arrives within this; archives and imports are read by their routes. */
const BODY_MS = 60_000;
/** How long the rest of a body may still come that nobody reads any more. */
const LEFTOVER_MS = 10_000;

function refusalFor(code: string): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal("request_timeout");
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal("headers_too_large");
  return new Refusal("bad_request", { message: "the request is not HTTP" });
}

/** Answers what Node's parser gave up on, like every other refusal, and ends the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET") socket.destroy();
  else refuseOnSocket(socket, refusalFor(error.code ?? ""));
}

/** Answers CONNECT, which Node hands over as a bare socket: the panel is nobody's proxy. */
export function answerTunnel({ headers }: IncomingMessage, socket: Duplex): void {
  refuseOnSocket(socket, new Refusal("method_not_allowed"), { "x-request-id": requestIdFor(headers["x-request-id"]) });
}

/** Answers where there is no request to answer to. */
export function refuseOnSocket(socket: Duplex, refusal: Refusal, more: Readonly<Record<string, string>> = {}): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(refusal.body());
  const lines = Object.entries({ ...refusalHead(body), ...newRequestId(), ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** The header fields of a refusal that passes no route, and ends the connection. */
export function refusalHead(body: string): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    "content-security-policy": API_POLICY,
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
}

/**
 * Refuses a body that does not arrive in time with 408: a client that sends it byte by byte cannot keep the connection
 * or the memory.
 */
export function limitArrival(request: IncomingMessage): void {
  const late = setTimeout(() => request.emit("error", new Refusal("request_timeout")), BODY_MS);
  const arrived = (): void => clearTimeout(late);
  request.once("end", arrived).once("close", arrived);
}

/** After an answer that did not wait for the body: its sender may still finish, then the connection ends. */
export function dropLeftover(request: IncomingMessage): void {
  if (request.complete) return;
  const late = setTimeout(() => request.destroy(), LEFTOVER_MS);
  request.once("end", () => clearTimeout(late)).once("close", () => clearTimeout(late));
}
