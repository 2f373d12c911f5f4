// The door of the process: everything that it listens on, for as long as it lives, and the panel behind it. Panels come
// and go, connections stay. While no panel is behind the door, whatever comes is answered 503.
//
// The main listener leads to the whole panel. A further one leads to the answerers that it was opened for
// (`listeners/answerers.ts`), and to nothing else.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { arriveOn, furtherAnswerers, type AnswererName, type FurtherAnswerer } from "./listeners/answerers.ts";
import { Listener } from "./listeners/listener.ts";
import { PortSet } from "./listeners/port-set.ts";
import { Proofs } from "./listeners/proofs.ts";
import { reachesItself } from "./listeners/self-check.ts";
import { isLocalHealth, isOutside, mayUpgrade, sendBare } from "./outside.ts";
import { Refusal } from "./refusals/errors.ts";
import type { TlsOptions } from "./ports.ts";
import { nameRequest, requestIdFor } from "./request/request-id.ts";
import { faultOf, targetPath } from "./request/target.ts";
import { refuseOnSocket, refuseRequest, refusalHead } from "./answers/unreadable.ts";

export interface DoorPlace {
  readonly host: string;
  /** 0: a free one, kept from then on. */
  readonly port: number;
  /** `` or `/segment[/segment…]`: to strangers elsewhere nothing is said of a panel. */
  readonly basePath: string;
  readonly tls: TlsOptions | undefined;
}

/** A further place to listen on. */
export interface FurtherPlace {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** The answerers there; every other request is answered as by a server that has nothing. */
  readonly answers: readonly FurtherAnswerer[];
  /**
   * `panel`: as the main listener, now and later. `proofs`: nothing but the handshakes of proofs. Absent: plain HTTP.
   */
  readonly tls?: "panel" | "proofs" | undefined;
}

export interface FurtherListener {
  readonly port: number;
  /** Gives the place up at once; resolves when running answers are complete. */
  close(): Promise<void>;
}

/**
 * How long a refusal waits for the rest of a body: an answer that ends the connection before it was read is lost on its
 * way.
 */
const BODY_MS = 5000;
/** A restart takes about this long; in seconds. */
const RETRY_AFTER = 1;

export class Door {
  /** Proofs for certificate authorities that are in flight. */
  readonly proofs = new Proofs();
  /** The ports of `sub_listen`. */
  readonly subscriptionPorts = new PortSet(({ host, port }) =>
    this.openFurther({ host, port, answers: ["subscriptions"], tls: "panel" }),
  );
  readonly #main = new Listener({
    hides: () => this.#basePath !== "",
    mayUpgrade: (request) => mayUpgrade(this.#basePath, request),
    request: (request, response, current) => this.#take(request, response, current),
    upgrade: (request, socket, head, current) => this.#upgrade(request, socket, head, current),
    proofs: this.proofs,
  });
  readonly #further = new Map<Listener, FurtherPlace>();
  #place: DoorPlace | undefined;
  /** The panel's server, which never listens itself. */
  #panel: Server | undefined;
  /** Answers of the present panel that are not complete. */
  #running = new Set<ServerResponse>();
  #onIdle: () => void = () => {};

  /** The port of the main listener; undefined before the first panel. */
  get port(): number | undefined {
    return this.#main.port;
  }

  /**
   * Lets requests through to `panel`, at this place from now on. Rejects when it cannot be listened on; the place
   * before is then kept.
   */
  async open(place: DoorPlace, panel: Server): Promise<void> {
    await this.#main.open(place);
    for (const [listener, { tls }] of this.#further) if (tls === "panel") await listener.secure(place.tls);
    this.#place = place;
    this.#running = new Set();
    this.#panel = panel;
  }

  /**
   * Listens at a further place until it is closed. Rejects when it cannot be listened on, or when a proof is not found
   * there.
   */
  async openFurther(place: FurtherPlace): Promise<FurtherListener> {
    const { host, port, answers, tls } = place;
    const answerers = furtherAnswerers(answers);
    const listener = new Listener({
      hides: () => true,
      mayUpgrade: () => false,
      request: (request, response, current) => this.#take(request, response, current, answerers),
      // `mayUpgrade` lets none become one.
      upgrade: (_request, socket) => socket.destroy(),
      ...(answerers.has("proofs") && { proofs: this.proofs }),
    });
    await listener.open({ host, port, tls: tls === "panel" ? this.#place?.tls : tls });
    this.#further.set(listener, place);
    const close = async (): Promise<void> => {
      await listener.finish();
      this.#further.delete(listener);
    };
    const at = { host, port: listener.port ?? port };
    if (answerers.has("proofs") && tls === undefined && !(await reachesItself(at, this.proofs))) {
      await close();
      throw new Error(`another program is reached at ${host}, port ${at.port}`);
    }
    return { port: at.port, close };
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
    this.subscriptionPorts.forget();
    const listeners = [this.#main, ...this.#further.keys()];
    for (const listener of listeners) listener.shut();
    await this.shut();
    for (const listener of listeners) listener.end();
    this.#further.clear();
    this.#place = undefined;
  }

  get #basePath(): string {
    return this.#place?.basePath ?? "";
  }

  /** A connection of a server that was replaced by another kind has nobody behind it. */
  #take(
    request: IncomingMessage,
    response: ServerResponse,
    current: boolean,
    further?: ReadonlySet<AnswererName>,
  ): void {
    // The first answerer needs no panel.
    if ((further?.has("proofs") ?? true) && this.proofs.answer(request, response)) return;
    const panel = current ? this.#panel : undefined;
    if (!panel) return this.#refuse(request, response, further !== undefined);
    if (further) arriveOn(request, further);
    const running = this.#running;
    running.add(response);
    response.once("close", () => {
      running.delete(response);
      if (running === this.#running && running.size === 0) this.#onIdle();
    });
    panel.emit("request", request, response);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, current: boolean): void {
    if (this.#panel && current) this.#panel.emit("upgrade", request, socket, head);
    else
      refuseOnSocket(socket, restarting(), {
        "retry-after": String(RETRY_AFTER),
        "x-request-id": requestIdFor(request.headers["x-request-id"]),
      });
  }

  #refuse(request: IncomingMessage, response: ServerResponse, further: boolean): void {
    const basePath = this.#basePath;
    const fault = faultOf(request);
    const path = targetPath(request);
    const outside = further || (isOutside(basePath, path) && !isLocalHealth(request));
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
