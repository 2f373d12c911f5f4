// The webhooks' receiver: a real HTTP server that keeps every delivery, in the order of arrival, and checks its
// signature.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const Envelope = z.object({ v: z.literal(1), id: z.number(), event: z.string() });

export interface Received {
  /** The path of the address: which webhook. */
  readonly hook: string;
  readonly delivery: number;
  readonly eventId: number;
  readonly body: string;
}

export class Receiver {
  readonly received: Received[] = [];
  /** What was wrong with what arrived. */
  readonly faults: string[] = [];
  readonly #secret: string;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    // Half a request is none: its sender was killed.
    request.on("error", () => undefined);
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      this.#keep(request.url ?? "", request.headers, Buffer.concat(parts));
      response.writeHead(204).end();
    });
  });

  constructor(secret: string) {
    this.#secret = secret;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #keep(hook: string, headers: Readonly<Record<string, string | string[] | undefined>>, bytes: Buffer): void {
    const body = bytes.toString("utf8");
    const delivery = Number(headers["x-panel-delivery"]);
    const [, time = "", digest = ""] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers["x-panel-signature"])) ?? [];
    if (createHmac("sha256", this.#secret).update(`${time}.${body}`).digest("hex") !== digest)
      this.faults.push(`delivery ${delivery} to ${hook} is not signed by its secret`);
    const { id } = Envelope.parse(JSON.parse(body));
    this.received.push({ hook, delivery, eventId: id, body });
  }
}
