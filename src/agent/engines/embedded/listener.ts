// One inbound's port: accepts connections within the process's bounds, wraps TLS, and hands each to a `Connection`.
import { once } from "node:events";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { SecureContext } from "node:tls";
import { Connection } from "./connection.ts";
import type { Grounds } from "./connection.ts";
import type { InboundSpec } from "./inbounds.ts";
import { alpnBytes } from "./tls-context.ts";
import { SOCKET_BUFFER_BYTES } from "./transports/channel.ts";

/** Bounds that all listeners of the process share. */
export class Admission {
  readonly #max: number;
  #open = 0;
  /** Connections that have not shown a valid request yet, the oldest first. */
  readonly #unproven = new Set<Connection>();

  constructor(max: number) {
    this.#max = max;
  }

  get open(): number {
    return this.#open;
  }

  /**
   * Takes a place, at the cost of the oldest connection that has not proved itself. False when all places are taken by
   * users.
   */
  enter(): boolean {
    if (this.#open >= this.#max) {
      const oldest = this.#unproven.values().next();
      if (oldest.done) return false;
      this.#unproven.delete(oldest.value);
      oldest.value.destroy();
    }
    this.#open += 1;
    return true;
  }

  leave(): void {
    this.#open -= 1;
  }

  watch(connection: Connection): void {
    this.#unproven.add(connection);
  }

  proven(connection: Connection): void {
    this.#unproven.delete(connection);
  }
}

const BACKLOG = 1024;

export class Listener {
  readonly spec: InboundSpec;
  readonly #grounds: Grounds;
  readonly #admission: Admission;
  readonly #alpn: Buffer | undefined;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #context: SecureContext | undefined;

  /** `context`: for an inbound with TLS. */
  constructor(spec: InboundSpec, context: SecureContext | undefined, grounds: Grounds, admission: Admission) {
    this.spec = spec;
    this.#context = context;
    this.#grounds = grounds;
    this.#admission = admission;
    this.#alpn = alpnBytes(spec.tls?.alpn ?? []);
    this.#server = createServer({ allowHalfOpen: true, highWaterMark: SOCKET_BUFFER_BYTES }, (socket) =>
      this.#accept(socket),
    );
    this.#server.on("error", (error) => grounds.debug("listener failed", { inbound: spec.tag, error: error.message }));
  }

  /** Rejects when the port cannot be had. A machine without IPv6 serves "::" on IPv4. */
  async open(): Promise<void> {
    try {
      await this.#listen(this.spec.listen);
    } catch (error) {
      if (this.spec.listen !== "::" || !(error instanceof Error) || !("code" in error) || error.code !== "EAFNOSUPPORT")
        throw error;
      await this.#listen("0.0.0.0");
    }
  }

  /** For connections to come; those that are open keep theirs. */
  setContext(context: SecureContext): void {
    this.#context = context;
  }

  /** Closes the port and every connection of it. The port is free when this resolves. */
  async close(): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, "close") : undefined;
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }

  async #listen(host: string): Promise<void> {
    this.#server.listen({ host, port: this.spec.port, backlog: BACKLOG });
    await once(this.#server, "listening");
  }

  #accept(socket: Socket): void {
    if (!this.#admission.enter()) {
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    const connection: Connection = new Connection(this.#secured(socket), this.spec, this.#grounds, () =>
      this.#admission.proven(connection),
    );
    this.#connections.add(connection);
    this.#admission.watch(connection);
    socket.on("close", () => {
      this.#admission.leave();
      this.#connections.delete(connection);
    });
  }

  #secured(socket: Socket): Socket {
    if (!this.#context) return socket;
    socket.on("error", () => {});
    // The class itself, not a tls.Server: one deadline then covers handshake and request.
    const options = {
      isServer: true,
      secureContext: this.#context,
      requestCert: false,
      highWaterMark: SOCKET_BUFFER_BYTES,
    };
    return new TLSSocket(socket, this.#alpn ? { ...options, ALPNProtocols: this.#alpn } : options);
  }
}
