// Where the process listens, for as long as it lives: panels come and go behind it, connections stay. While none is
// behind it, whatever comes is answered 503.
//
// The listening socket, the server that reads HTTP from its connections, and the panel that answers are apart, so that
// each may change alone: a panel that starts again keeps all connections, a certificate is taken over by the server,
// and from plain HTTP to TLS only the server is another one.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createListener, type Server as Listener, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isLocalHealth, isOutside, mayUpgrade, sendBare } from "./outside.ts";
import { Refusal } from "./refusals/errors.ts";
import type { TlsOptions } from "./ports.ts";
import { nameRequest, requestIdFor } from "./request/request-id.ts";
import { faultOf, targetPath } from "./request/target.ts";
import { answerTunnel, answerUnreadable, refuseOnSocket, refuseRequest, refusalHead } from "./answers/unreadable.ts";

export interface DoorPlace {
  readonly host: string;
  /** 0: a free one, kept from then on. */
  readonly port: number;
  /** `` or `/segment[/segment…]`: to strangers elsewhere nothing is said of a panel. */
  readonly basePath: string;
  readonly tls: TlsOptions | undefined;
}

/**
 * How long a refusal waits for the rest of a body: an answer that ends the connection before it was read is lost on its
 * way.
 */
const BODY_MS = 5000;
/** A restart takes about this long; in seconds. */
const RETRY_AFTER = 1;

/** How a server meets what is not simply a request. */
export interface ServerManners {
  /** Whether nothing is said of a panel where it is not known what was asked for. */
  readonly hides: () => boolean;
  /** Whether a request may become another protocol; it is answered as any other where not. */
  readonly mayUpgrade: (request: IncomingMessage) => boolean;
  readonly tls?: TlsOptions | undefined;
}

/** A server as each of the panel's listeners has it; nothing listens yet. */
export function newServer(handler: RequestListener, { hides, mayUpgrade: upgrades, tls }: ServerManners): Server {
  const options = { shouldUpgradeCallback: upgrades };
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
  const server = createTlsServer({ ...options, ...tls }, handler);
  tls.onServer?.(server);
  // An HTTPS server answers to everything that is asked of an HTTP one.
  return server;
}

export class Door {
  #place: DoorPlace | undefined;
  #listener: Listener | undefined;
  #front: Server | undefined;
  /** Servers of the other kind, before TLS began or ended: they refuse what still comes over their connections. */
  readonly #retired: Server[] = [];
  /** The panel's server, which never listens itself. */
  #panel: Server | undefined;
  /** Answers of the present panel that are not complete. */
  #running = new Set<ServerResponse>();
  #onIdle: () => void = () => {};

  /** The port that is listened on; undefined before the first panel. */
  get port(): number | undefined {
    const bound = this.#listener?.address();
    return typeof bound === "object" && bound !== null ? bound.port : undefined;
  }

  /**
   * Lets requests through to `panel`, at this place from now on. Rejects when it cannot be listened on; the place
   * before is then kept.
   */
  async open(place: DoorPlace, panel: Server): Promise<void> {
    const before = this.#place;
    const front = this.#frontFor(place, before);
    if (this.#listener === undefined || before?.host !== place.host || before.port !== place.port) {
      const listener = await this.#listen(place);
      this.#listener?.close();
      this.#listener = listener;
    }
    if (this.#front && this.#front !== front) this.#retired.push(this.#front);
    this.#place = place;
    this.#front = front;
    this.#running = new Set();
    this.#panel = panel;
  }

  /** From this call on everything is 503. Resolves when all running requests have been answered. */
  async shut(): Promise<void> {
    this.#panel = undefined;
    if (this.#running.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await promise;
  }

  /** As `shut`, and nobody comes in any more. */
  async close(): Promise<void> {
    this.#listener?.close();
    await this.shut();
    for (const server of [...this.#retired.splice(0), ...(this.#front ? [this.#front] : [])]) {
      server.closeAllConnections();
      server.close();
    }
    this.#listener = this.#front = this.#place = undefined;
  }

  #frontFor(place: DoorPlace, before: DoorPlace | undefined): Server {
    const { tls } = place;
    if (!this.#front || (before?.tls === undefined) !== (tls === undefined)) return this.#newFront(tls);
    if (tls && "setSecureContext" in this.#front) {
      const server = this.#front as unknown as Parameters<NonNullable<TlsOptions["onServer"]>>[0];
      server.setSecureContext(tls);
      tls.onServer?.(server);
    }
    return this.#front;
  }

  #newFront(tls: TlsOptions | undefined): Server {
    const hides = (): boolean => this.#basePath !== "";
    const front: Server = newServer((request, response) => this.#take(front, request, response), {
      hides,
      mayUpgrade: (request) => mayUpgrade(this.#basePath, request),
      tls,
    });
    front.on("clientError", answerUnreadable(hides));
    front.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (this.#panel && front === this.#front) this.#panel.emit("upgrade", request, socket, head);
      else
        refuseOnSocket(socket, restarting(), {
          "retry-after": String(RETRY_AFTER),
          "x-request-id": requestIdFor(request.headers["x-request-id"]),
        });
    });
    // Connections are given to it: what it does where it listens itself (watching over slow headers) it begins with
    // this.
    front.emit("listening");
    return front;
  }

  async #listen({ host, port }: DoorPlace): Promise<Listener> {
    // As an HTTP server sets itself up.
    const listener = createListener({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      if (this.#place?.tls) socket.allowHalfOpen = false;
      this.#front?.emit("connection", socket);
    });
    await new Promise<void>((resolve, reject) => {
      listener.once("error", reject).listen({ host, port }, () => {
        listener.off("error", reject);
        resolve();
      });
    });
    return listener;
  }

  get #basePath(): string {
    return this.#place?.basePath ?? "";
  }

  /** A connection of a server that was replaced by another kind has nobody behind it. */
  #take(front: Server, request: IncomingMessage, response: ServerResponse): void {
    const panel = front === this.#front ? this.#panel : undefined;
    if (!panel) return this.#refuse(request, response);
    const running = this.#running;
    running.add(response);
    response.once("close", () => {
      running.delete(response);
      if (running === this.#running && running.size === 0) this.#onIdle();
    });
    panel.emit("request", request, response);
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const basePath = this.#basePath;
    const fault = faultOf(request);
    const path = targetPath(request);
    const outside = isOutside(basePath, path) && !isLocalHealth(request);
    const isHealth = path === "/healthz" || path === `${basePath}/healthz`;
    const told = isHealth ? { status: "restarting" } : restarting().body();
    const answer = (): void => {
      clearTimeout(late);
      if (response.headersSent) return;
      if (outside) return sendBare(response, fault === undefined ? 503 : 400);
      if (fault !== undefined) return refuseRequest(request, response, new Refusal("bad_request", { message: fault }));
      nameRequest(request, response);
      const body = JSON.stringify(told);
      response.writeHead(503, { ...refusalHead(body), "retry-after": String(RETRY_AFTER) }).end(body);
    };
    const late = setTimeout(answer, BODY_MS);
    request.once("end", answer).once("close", answer).resume();
  }
}

function restarting(): Refusal {
  return new Refusal("unavailable", { message: "the panel is restarting" });
}
