// Opens connections to targets: straight, or through a SOCKS5 or HTTP proxy upstream.
import { Socket } from "node:net";
import { askProxy } from "../../../lib/proxy-handshake.ts";
import type { Target } from "./protocols/address.ts";
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
    return { socket, early: await askProxy(kind === "http" ? "http" : "socks5", socket, proxy, target) };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
