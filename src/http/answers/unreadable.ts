// What is no request that can be read: bytes that are no HTTP, header fields past Node's limit, requests that take too
// long to arrive.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal } from "../refusals/errors.ts";
import { nameRequest, newRequestId, requestIdFor } from "../request/request-id.ts";
import { API_POLICY, SECURITY_HEADERS } from "./replies.ts";

/** A JSON body arrives within this; archives and imports are read by their routes. */
const BODY_MS = 60_000;
/** How long the rest of a body may still come that nobody reads any more, and how much of it. */
const LEFTOVER_MS = 10_000;
const LEFTOVER_BYTES = 2 * 1024 * 1024;
const LOOK_MS = 5;

function refusalFor(code: string): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal("request_timeout");
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal("headers_too_large");
  return new Refusal("bad_request", { message: "the request is not HTTP" });
}

/**
 * Answers what Node's parser gave up on, and ends the connection: like every other refusal, and behind a base path as
 * any server does, since nobody knows then what was asked for.
 */
export function answerUnreadable(hides: () => boolean) {
  return ({ code = "" }: NodeJS.ErrnoException, socket: Duplex): void => {
    if (code === "ECONNRESET") return void socket.destroy();
    const refusal = refusalFor(code);
    if (hides()) endWith(socket, refusal.status, "Connection: close\r\n");
    else refuseOnSocket(socket, refusal);
  };
}

/** Answers CONNECT, which Node hands over as a bare socket: the panel is nobody's proxy. */
export function answerTunnel(hides: () => boolean) {
  return ({ headers }: IncomingMessage, socket: Duplex): void => {
    // As any other request for what is not there.
    if (hides())
      endWith(socket, 404, `Content-Length: 0\r\nDate: ${new Date().toUTCString()}\r\nConnection: close\r\n`);
    else
      refuseOnSocket(socket, new Refusal("method_not_allowed"), {
        "x-request-id": requestIdFor(headers["x-request-id"]),
      });
  };
}

/** Answers where there is no request to answer to. */
export function refuseOnSocket(socket: Duplex, refusal: Refusal, more: Readonly<Record<string, string>> = {}): void {
  const body = JSON.stringify(refusal.body());
  const lines = Object.entries({ ...refusalHead(body), ...newRequestId(), ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  endWith(socket, refusal.status, lines.join(""), body);
}

/** `head`: header fields, each with its line end. */
function endWith(socket: Duplex, status: number, head: string, body = ""): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${body}`, () => socket.destroy());
}

/** Answers a request that passes no route, and ends the connection. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  nameRequest(request, response);
  const body = JSON.stringify(refusal.body());
  response.once("finish", () => dropLeftover(request));
  response.writeHead(refusal.status, refusalHead(body)).end(body);
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

/**
 * After an answer that did not wait for the body: its sender may still finish, then the connection ends. Of a long body
 * the rest is not read.
 */
export function dropLeftover(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const from = socket.bytesRead;
  const late = setTimeout(() => request.destroy(), LEFTOVER_MS);
  // Node throws the body away without a word; its socket counts.
  const looks = setInterval(() => {
    if (socket.bytesRead - from > LEFTOVER_BYTES) socket.pause();
  }, LOOK_MS);
  const over = (): void => {
    clearTimeout(late);
    clearInterval(looks);
  };
  request.once("end", over).once("close", over);
}
