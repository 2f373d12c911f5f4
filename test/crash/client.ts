// The panel's API over kept-alive connections: a whole answer, or none.
import { Agent, request } from "node:http";

/** A request as it is sent; repeated under its key it is the same to the byte. */
export interface Sent {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: string;
  readonly key?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The answer was stored by an earlier request. */
  readonly replayed: boolean;
}

const PATIENCE_MS = 20_000;

export class Client {
  readonly #port: number;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(port: number, token: string, connections: number) {
    this.#port = port;
    this.#token = token;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Resolves to undefined when no whole answer came: nothing is known of the request then. */
  send({ method, path, body, key }: Sent): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const outgoing = request({
        port: this.#port,
        host: "127.0.0.1",
        agent: this.#agent,
        method,
        path: `/api/v1${path}`,
        timeout: PATIENCE_MS,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
      });
      const nothing = () => resolve(undefined);
      outgoing.on("error", nothing);
      outgoing.on("timeout", () => outgoing.destroy());
      outgoing.on("response", (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("error", nothing);
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("close", () => {
          if (!incoming.complete) return nothing();
          const replayed = incoming.headers["idempotent-replay"] === "true";
          return resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8"), replayed });
        });
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
