// One place where the process listens: a listening socket, and the server that reads HTTP from its connections. Each
// may change alone: a certificate is taken over by the server, from plain HTTP to TLS only the server is another one,
// and another place needs only another socket.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createSocket, type Server as ListeningSocket, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { answerUnreadable } from "../answers/unreadable.ts";
import type { TlsOptions } from "../ports.ts";
import { newServer, type ServerManners } from "./http-server.ts";
import type { Proofs } from "./proofs.ts";

/** How long running answers may take when a place is given up. */
const FINISH_MS = 10_000;
const LOOK_MS = 50;
/** How long it may take to listen: the host may be a name that is looked up. */
const LISTEN_MS = 5000;

export interface ListenerPlace {
  readonly host: string;
  /** 0: a free one, kept from then on. */
  readonly port: number;
  /** `proofs`: nothing but handshakes for proofs; every other connection is closed. */
  readonly tls: TlsOptions | "proofs" | undefined;
}

/** What a listener does with what arrives. `current`: the server that read it is not a replaced one. */
export interface ListenerManners extends Pick<ServerManners, "hides" | "mayUpgrade"> {
  request(request: IncomingMessage, response: ServerResponse, current: boolean): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, current: boolean): void;
  /** Absent: none are answered here. */
  readonly proofs?: Proofs;
}

export class Listener {
  readonly #manners: ListenerManners;
  #place: ListenerPlace | undefined;
  #socket: ListeningSocket | undefined;
  #server: Server | undefined;
  /** Servers of the other kind, before TLS began or ended: what still comes over their connections is not current. */
  readonly #retired: Server[] = [];
  readonly #connections = new Set<Socket>();
  #unfollow: () => void = () => {};

  constructor(manners: ListenerManners) {
    this.#manners = manners;
  }

  /** The port that is listened on; undefined while none is. */
  get port(): number | undefined {
    const bound = this.#socket?.address();
    return typeof bound === "object" && bound !== null ? bound.port : undefined;
  }

  /** Listens at this place from now on. Rejects when it cannot be listened on; the place before is then kept. */
  async open(place: ListenerPlace): Promise<void> {
    const [before, server] = [this.#place, this.#serverFor(place)];
    if (this.#socket === undefined || before?.host !== place.host || before.port !== place.port) {
      const socket = await listen(place, (connection) => this.#accept(connection));
      this.#socket?.close();
      this.#socket = socket;
    }
    if (this.#server && this.#server !== server) this.#retired.push(this.#server);
    this.#place = place;
    this.#server = server;
    this.#unfollow();
    this.#unfollow = server ? follow(server, place.tls) : () => {};
  }

  /** Serves with other certificates, or over plain HTTP, at the same place. */
  async secure(tls: TlsOptions | undefined): Promise<void> {
    if (this.#place) await this.open({ ...this.#place, tls });
  }

  /** Nobody comes in any more. */
  shut(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  /** Ends everything that is connected. */
  end(): void {
    this.shut();
    this.#unfollow();
    for (const server of [...this.#retired.splice(0), ...(this.#server ? [this.#server] : [])]) {
      server.closeAllConnections();
      server.close();
    }
    // What still shakes hands is no connection of a server yet.
    for (const connection of this.#connections) connection.destroy();
    this.#server = this.#place = undefined;
  }

  /** Gives the place up at once; resolves when running answers are complete, or are late. */
  async finish(): Promise<void> {
    this.shut();
    const until = performance.now() + FINISH_MS;
    while (this.#connections.size > 0 && performance.now() < until) {
      for (const server of [...this.#retired, this.#server]) server?.closeIdleConnections();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    this.end();
  }

  /** The present server, where it is of the right kind. */
  #serverFor({ tls }: ListenerPlace): Server | undefined {
    if (tls === "proofs") return undefined;
    const isSame = this.#server && (this.#place?.tls === undefined) === (tls === undefined);
    return isSame ? this.#server : this.#newServer(tls);
  }

  #newServer(tls: TlsOptions | undefined): Server {
    const { hides, mayUpgrade } = this.#manners;
    const isCurrent = (): boolean => server === this.#server;
    const server: Server = newServer((request, response) => this.#manners.request(request, response, isCurrent()), {
      hides,
      mayUpgrade,
      tls,
    });
    server.on("clientError", answerUnreadable(hides));
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#manners.upgrade(request, socket, head, isCurrent()),
    );
    // Connections are given to it: what it does where it listens itself (watching over slow headers) it begins with
    // this.
    server.emit("listening");
    return server;
  }

  #accept(connection: Socket): void {
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
    const tls = this.#place?.tls;
    if (tls) connection.allowHalfOpen = false;
    const { proofs } = this.#manners;
    if (tls && proofs?.awaitsHandshakes) proofs.takeHandshake(connection, () => this.#serve(connection));
    else this.#serve(connection);
  }

  #serve(connection: Socket): void {
    if (this.#server) this.#server.emit("connection", connection);
    else connection.destroy();
  }
}

/** The part of an HTTPS server that takes a new certificate; connections that stand keep theirs. */
type SecureServer = Parameters<NonNullable<TlsOptions["onServer"]>>[0];

/** Has a server serve the certificate, and each later one. Returns the way to stop. */
function follow(server: Server, tls: ListenerPlace["tls"]): () => void {
  if (tls === undefined || tls === "proofs" || !("setSecureContext" in server)) return () => {};
  const secure = server as unknown as SecureServer;
  secure.setSecureContext(tls);
  return tls.onServer?.(secure) ?? (() => {});
}

/** Why a place cannot be listened on, as a code: `EADDRINUSE`, `EACCES`. */
export function listenFault(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error);
}

/** Listens, as an HTTP server sets itself up. */
export async function listen(
  { host, port }: Pick<ListenerPlace, "host" | "port">,
  accept: (connection: Socket) => void,
): Promise<ListeningSocket> {
  const socket = createSocket({ allowHalfOpen: true, noDelay: true }, accept);
  const patience = new AbortController();
  const late = setTimeout(() => patience.abort(), LISTEN_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      patience.signal.addEventListener("abort", () => reject(new Error(`${host} is not found in time`)));
      socket.once("error", reject).listen({ host, port }, () => {
        socket.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    // One that was late may listen yet.
    socket.on("error", () => {}).on("listening", () => socket.close());
    throw error;
  } finally {
    clearTimeout(late);
  }
  return socket;
}
