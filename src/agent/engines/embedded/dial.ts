// Opens connections to targets: straight, or through a SOCKS5 or HTTP proxy upstream.
import { Socket } from "node:net";
import { encodeTarget, parseHost, SOCKS_ADDRESS, targetText } from "./protocols/address.ts";
import type { Target } from "./protocols/address.ts";
import { headEnd } from "./protocols/http.ts";
import type { UpstreamProxy } from "./outbounds.ts";
import { SOCKET_BUFFER_BYTES } from "./transports/channel.ts";

/**
 * `early`: bytes of the target that came with a proxy's answer. The socket is paused, without an error handler but the
 * dialler's.
 */
export interface Connected {
  readonly socket: Socket;
  readonly early: Buffer;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Connects to a checked address. Rejects on refusal, after 10 s, or when the signal fires (the socket is then
 * destroyed).
 */
export function connectTcp(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  if (signal.aborted) return Promise.reject(new Error("the session ended"));
  return new Promise((resolve, reject) => {
    // The types do not know of highWaterMark here, the stream beneath does.
    const options = { allowHalfOpen: true, highWaterMark: SOCKET_BUFFER_BYTES };
    const socket = new Socket(options);
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection to ${address} within ${CONNECT_TIMEOUT_MS / 1000} s`)),
      CONNECT_TIMEOUT_MS,
    );
    const abort = () => socket.destroy(new Error("the session ended"));
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    socket.once("error", (error) => {
      settle();
      reject(error);
    });
    socket.once("connect", () => {
      settle();
      // From here on an error only precedes `close`, which the relay listens to.
      socket.on("error", () => {});
      resolve(socket);
    });
    signal.addEventListener("abort", abort, { once: true });
    socket.pause();
    socket.setNoDelay(true);
    socket.connect({ host: address, port, family: address.includes(":") ? 6 : 4 });
  });
}

/** Connects to `target` by way of a proxy. Rejects with the proxy's refusal, or as `connectTcp` does. */
export async function connectThroughProxy(
  kind: "socks" | "http",
  proxy: UpstreamProxy,
  target: Target,
  signal: AbortSignal,
): Promise<Connected> {
  const socket = await connectTcp(proxy.host, proxy.port, signal);
  const abort = () => socket.destroy(new Error("the session ended"));
  const timer = setTimeout(() => socket.destroy(new Error("the upstream proxy does not answer")), CONNECT_TIMEOUT_MS);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const reader = new AnswerReader(socket);
    if (kind === "http") await httpConnect(socket, reader, proxy, target);
    else await socksConnect(socket, reader, proxy, target);
    return { socket, early: reader.rest() };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Reads a proxy's answers from a paused socket, never more than `MAX_ANSWER_BYTES` ahead. */
class AnswerReader {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Waits until `length` of the bytes is known, and takes as many. */
  async take(length: (bytes: Buffer) => number | undefined): Promise<Buffer> {
    for (;;) {
      const size = length(this.#bytes);
      if (size !== undefined && size <= this.#bytes.length) {
        const taken = this.#bytes.subarray(0, size);
        this.#bytes = this.#bytes.subarray(size);
        return taken;
      }
      if (this.#bytes.length > MAX_ANSWER_BYTES) throw new Error("the upstream proxy's answer is too long");
      this.#bytes = Buffer.concat([this.#bytes, await this.#chunk()]);
    }
  }

  rest(): Buffer {
    return this.#bytes;
  }

  #chunk(): Promise<Buffer> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      const settle = () => {
        socket.off("readable", read);
        socket.off("close", lost);
        socket.off("end", lost);
      };
      const read = () => {
        const chunk: unknown = socket.read();
        if (!Buffer.isBuffer(chunk)) return;
        settle();
        resolve(chunk);
      };
      const lost = () => {
        settle();
        reject(new Error("the upstream proxy closed the connection"));
      };
      socket.on("readable", read);
      socket.once("close", lost);
      socket.once("end", lost);
      read();
    });
  }
}

async function httpConnect(socket: Socket, reader: AnswerReader, proxy: UpstreamProxy, target: Target): Promise<void> {
  const basic = Buffer.from(`${proxy.name}:${proxy.password}`).toString("base64");
  const credentials = proxy.name === "" ? "" : `Proxy-Authorization: Basic ${basic}\r\n`;
  socket.write(`CONNECT ${targetText(target)} HTTP/1.1\r\nHost: ${targetText(target)}\r\n${credentials}\r\n`);
  const head = await reader.take((bytes) => headEnd(bytes, MAX_ANSWER_BYTES));
  if (!/^HTTP\/1\.[01] 2\d\d /.test(head.toString("latin1", 0, 13))) throw new Error("the upstream proxy refused");
}

async function socksConnect(socket: Socket, reader: AnswerReader, proxy: UpstreamProxy, target: Target): Promise<void> {
  const method = proxy.name === "" ? 0 : 2;
  socket.write(Buffer.from([5, 1, method]));
  const chosen = await reader.take(() => 2);
  if (chosen[0] !== 5 || chosen[1] !== method)
    throw new Error("the upstream proxy refused the method of authentication");
  if (method === 2) {
    const name = Buffer.from(proxy.name);
    const password = Buffer.from(proxy.password);
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]));
    const verdict = await reader.take(() => 2);
    if (verdict[1] !== 0) throw new Error("the upstream proxy refused the password");
  }
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), encodeTarget(target, SOCKS_ADDRESS)]));
  const answer = await reader.take((bytes) => {
    if (bytes.length > 1 && bytes[1] !== 0) return 2;
    const bound = parseHost(bytes, 3, SOCKS_ADDRESS);
    if (bound.state === "refused") throw new Error("the upstream proxy's answer is malformed");
    return bound.state === "done" ? 3 + bound.length + 2 : undefined;
  });
  if (answer[1] !== 0) throw new Error(`the upstream proxy refused (${answer[1]})`);
}
