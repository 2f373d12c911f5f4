// The agent's door: TLS 1.3 with client certificates, one WebSocket path (rules agents.door). Knows nothing of what is
// said behind it.
import { once } from "node:events";
import { createServer } from "node:https";
import type { Server } from "node:https";
import { TLSSocket } from "node:tls";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { plainAddress } from "../lib/written-address.ts";
import { MAX_MESSAGE_BYTES, WEBSOCKET_PATH } from "../protocol/messages.ts";
import { addressProblem } from "./address-problem.ts";
import type { Identity } from "./identity.ts";
import { readTrust, stampOf } from "./trust.ts";
import { vouchedFor } from "./vouching.ts";

export interface Caller {
  readonly socket: WebSocket;
  /**
   * Fingerprint of the trust anchor that vouches for the caller: the same for every process and renewal of one panel.
   */
  readonly panel: string;
  /** The address of ours that was dialled. */
  readonly localAddress: string;
  readonly remoteAddress: string;
}

export interface ListenerOptions {
  readonly identity: Identity;
  /** PEM of the panel's CA or self-signed client certificate. Read again whenever the file changes. */
  readonly trustFile: string;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly onCaller: (caller: Caller) => void;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Reads the trust file now, if it changed; to whether it can be used. */
  reload(): boolean;
  /** Refuses new callers and cuts the open connections. */
  close(): Promise<void>;
}

/** Rejects when the address is taken or the trust file cannot be used. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const context = { cert: options.identity.certificate, key: options.identity.privateKey };
  let trust = readTrust(options.trustFile);
  const server = createServer({
    ...context,
    ca: trust.pem,
    requestCert: true,
    // Below, where a wrong clock is no reason.
    rejectUnauthorized: false,
    minVersion: "TLSv1.3",
    handshakeTimeout: 10_000,
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  const reload = (): boolean => {
    try {
      if (stampOf(options.trustFile) === trust.stamp) return true;
      const fresh = readTrust(options.trustFile);
      server.setSecureContext({ ...context, ca: fresh.pem, minVersion: "TLSv1.3" });
      trust = fresh;
      return true;
    } catch (error) {
      options.onProblem("the trust file cannot be used; the certificates read before stay trusted", error);
      return false;
    }
  };
  // Before each handshake, so that a panel whose certificate was replaced is let in, and the old one out, without a
  // restart.
  server.prependListener("connection", () => void reload());
  server.on("tlsClientError", (error, socket) =>
    options.onProblem(`refused a connection from ${socket.remoteAddress ?? "an unknown address"}`, error),
  );
  const panels = new WeakMap<TLSSocket, string>();
  // Before anything is read from it.
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const vouched = vouchedFor(socket, trust.certificates);
    if (vouched.anchor === undefined) {
      options.onProblem(
        `refused a connection from ${socket.remoteAddress ?? "an unknown address"}: ${vouched.problem}`,
      );
      socket.destroy();
      return;
    }
    panels.set(socket, vouched.anchor);
    if (vouched.untimely)
      options.onProblem(
        `by this machine's clock, ${new Date().toISOString()}, the panel's certificate is not valid: its key is the trusted one, so it is let in; set the clock`,
      );
  });
  server.on("request", (_request, response) => {
    response.writeHead(404).end();
  });
  const sockets = new WebSocketServer({
    server,
    path: WEBSOCKET_PATH,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  sockets.on("error", (error) => options.onProblem("the listener failed", error));
  sockets.on("connection", (socket, request) => {
    // Also for callers that are turned away: a malformed frame from one of them would otherwise end the process.
    socket.on("error", (error) => options.onProblem("a connection failed", error));
    const panel = request.socket instanceof TLSSocket ? panels.get(request.socket) : undefined;
    if (panel === undefined) {
      socket.close(1008, "no client certificate");
      return;
    }
    options.onCaller({
      socket,
      panel,
      localAddress: plainAddress(request.socket.localAddress),
      remoteAddress: plainAddress(request.socket.remoteAddress),
    });
  });
  const port = await bind(server, options);
  return {
    host: options.host,
    port,
    reload,
    async close() {
      const closed = once(server, "close");
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bind(server: Server, { host, port }: ListenerOptions): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(addressProblem(host, port, error), { cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`listening on ${host}:${port} gave no port`);
  return address.port;
}
