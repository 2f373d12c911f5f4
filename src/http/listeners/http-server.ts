// A server that reads HTTP from connections, as each of the panel's listeners has it; it listens nowhere itself.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { answerTunnel } from "../answers/unreadable.ts";
import type { TlsOptions } from "../ports.ts";

/** How a server meets what is not simply a request. */
export interface ServerManners {
  /** Whether nothing is said of a panel where it is not known what was asked for. */
  readonly hides: () => boolean;
  /** Whether a request may become another protocol; it is answered as any other where not. */
  readonly mayUpgrade: (request: IncomingMessage) => boolean;
  readonly tls?: TlsOptions | undefined;
}

/** A server as each of the panel's listeners has it; nothing listens yet. */
export function newServer(handler: RequestListener, { hides, mayUpgrade, tls }: ServerManners): Server {
  // Node looks this often whether headers are late.
  const options = { shouldUpgradeCallback: mayUpgrade, connectionsCheckingInterval: 5000 };
  const server = tls ? newTlsServer(tls, options, handler) : createHttpServer(options, handler);
  server.on("connect", answerTunnel(hides));
  server.on(tls ? "secureConnection" : "connection", keepAddress);
  server.requestTimeout = 0;
  server.headersTimeout = 30_000;
  server.keepAliveTimeout = 72_000;
  return server;
}

/**
 * Reads where a connection comes from while it is there: Node keeps what it read once, and tells nothing after the end.
 * What its client sent before it left is still carried out and counted (rule http.error.10).
 */
function keepAddress(socket: Pick<Socket, "remoteAddress" | "destroy">): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}

function newTlsServer(tls: TlsOptions, options: ServerOptions, handler: RequestListener): Server {
  // An HTTPS server answers to everything that is asked of an HTTP one.
  return createTlsServer({ ...options, ...tls }, handler);
}
