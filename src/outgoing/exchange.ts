// One request on one connection, until the head of its answer; its body may be a stream.
import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { Deadline } from "./deadline.ts";
import { open, type Proxy } from "./connect.ts";
import { failureOf, OutgoingError } from "./failure.ts";
import { hostOf, type Resolve } from "./target.ts";

/** A body that is sent as it comes: of a known length, else in chunks. */
export interface BodyStream {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly length?: number | undefined;
}
export type RequestBody = Uint8Array | BodyStream;

/** One hop of a request. Times are milliseconds. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | undefined;
  readonly allowPrivate: boolean;
  readonly proxy: Proxy | undefined;
  readonly ca: string | undefined;
  readonly connectTimeout: number | undefined;
  /** Without a byte that the other side takes of the body. */
  readonly idle: number | undefined;
}

/**
 * Sends the request and resolves with the head of its answer. A body is sent on while the answer comes; the end of the
 * answer ends it. Destroying the message closes the connection, and so does the signal.
 */
export async function exchange(hop: Hop, resolve: Resolve, signal: AbortSignal): Promise<IncomingMessage> {
  const socket = await connected(hop, resolve, signal);
  const { url, body } = hop;
  const outgoing = requestHttp({
    createConnection: () => socket,
    method: hop.method,
    path: `${url.pathname}${url.search}`,
    headers: { Host: url.host, ...withoutFraming(hop.headers), ...lengthOf(body) },
  });
  const answer = Promise.withResolvers<IncomingMessage>();
  const end = (): void => void outgoing.destroy(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  outgoing.once("close", () => {
    signal.removeEventListener("abort", end);
    answer.reject(new Error("the connection was closed without an answer"));
  });
  outgoing.on("error", (error) => answer.reject(error));
  outgoing.once("response", (incoming) => {
    incoming.once("close", () => outgoing.destroy());
    answer.resolve(incoming);
  });
  if (body === undefined || body instanceof Uint8Array) outgoing.end(body);
  else
    sendStream(outgoing, body, hop.idle).catch((error: unknown) => {
      // The caller learns of it by the request, or, once there is an answer, by that.
      outgoing.destroy(failureOf(error));
    });
  try {
    return await answer.promise;
  } catch (error) {
    outgoing.destroy();
    socket.destroy();
    throw failureOf(signal.aborted ? signal.reason : error);
  }
}

async function connected(hop: Hop, resolve: Resolve, signal: AbortSignal) {
  const { url, allowPrivate, proxy, ca, connectTimeout } = hop;
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const tls = secure ? { tls: { ca, alpn: ["http/1.1"] } } : {};
  const way = { host: hostOf(url), port, allowPrivate, proxy, ...tls };
  if (connectTimeout === undefined) return open(way, resolve, signal);
  const deadline = new Deadline(connectTimeout, signal, `no connection within ${connectTimeout / 1000} s`);
  try {
    return await open(way, resolve, deadline.signal);
  } finally {
    deadline.end();
  }
}

/** Headers that say where a message goes and where it ends: they follow from the target and the body alone. */
const FRAMING = /^(host|content-length|transfer-encoding)$/i;

function withoutFraming(headers: Hop["headers"]): Hop["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !FRAMING.test(name)));
}

function lengthOf(body: RequestBody | undefined): Record<string, string> {
  if (body === undefined) return {};
  const length = body instanceof Uint8Array ? body.byteLength : body.length;
  return length === undefined ? { "transfer-encoding": "chunked" } : { "content-length": String(length) };
}

/** Sends a stream no faster than the other side takes it. Rejects where the stream fails or has another length. */
async function sendStream(
  outgoing: ClientRequest,
  { stream, length }: BodyStream,
  idle: number | undefined,
): Promise<void> {
  if (idle !== undefined)
    // The socket counts what the other side takes. A stream of ours that is slow is not the other side's fault.
    outgoing.setTimeout(idle, () => {
      if (!outgoing.writableNeedDrain) return;
      outgoing.destroy(new OutgoingError("timeout", `nothing of the body was taken for ${idle / 1000} s`));
    });
  const parts = stream[Symbol.asyncIterator]();
  let size = 0;
  const mismatch = () => new RangeError(`${length} bytes were announced, ${size} came`);
  try {
    for (;;) {
      const next = await unlessClosed(outgoing, parts.next());
      if (next === undefined) return;
      if (next.done === true) break;
      size += next.value.byteLength;
      if (length !== undefined && size > length) throw mismatch();
      if (!outgoing.write(next.value)) await unlessClosed(outgoing, drained(outgoing));
    }
    if (length !== undefined && size < length) throw mismatch();
    outgoing.end();
  } catch (cause) {
    throw new OutgoingError("aborted", "the body that was to be sent broke off", { cause });
  } finally {
    // It may hang in its own work: nobody waits for it, and nobody is left to hear why it failed.
    void parts.return?.(undefined).catch(() => {});
  }
}

/** What the work resolves to; undefined when the request is closed before. */
function unlessClosed<T>(outgoing: ClientRequest, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (outgoing.closed) leave();
    outgoing.once("close", leave);
    work.then(resolve, reject).finally(() => outgoing.off("close", leave));
  });
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => outgoing.once("drain", resolve));
}
