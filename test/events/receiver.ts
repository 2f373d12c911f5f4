// A webhook receiver on a real socket: keeps what it was sent and answers as it is told.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const Envelope = z.object({
  v: z.literal(1),
  id: z.number(),
  event: z.string(),
  time: z.number(),
  data: z.record(z.string(), z.unknown()),
});

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly envelope: z.output<typeof Envelope>;
}

type Answer = number | ((received: Received, response: ServerResponse) => void);

export class Receiver {
  readonly received: Received[] = [];
  /** A status, or what answers. May be changed at any time. */
  answer: Answer = 200;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const received = { headers: request.headers, body, envelope: Envelope.parse(JSON.parse(body.toString("utf8"))) };
      this.received.push(received);
      if (typeof this.answer === "number") response.writeHead(this.answer).end("seen");
      else this.answer(received, response);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  });
  readonly #waiting: (() => void)[] = [];

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/hook?x=1`;
  }

  get names(): string[] {
    return this.received.map(({ envelope }) => envelope.event);
  }

  /** Resolves once `count` requests have arrived. */
  async arrived(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
