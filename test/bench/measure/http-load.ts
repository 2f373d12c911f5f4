// HTTP load as the benches ask for it: who is asked what, by how many connections, and what it cost the server.
import { z } from "zod";
import { Child } from "./child.ts";

/** The server that is asked, and how it is asked. */
export interface Target {
  readonly port: number;
  readonly method: "GET" | "POST" | "PATCH";
  /** `{id}` stands for a key. */
  readonly path: string;
  /** Each connection takes the next. `{n}` in a value stands for what no request had before. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  /** `{n}` in it as in a header. */
  readonly body?: string;
  /** Requests a second; without, each connection asks again when it is answered. */
  readonly perSecond?: number;
  /** Processes that the answers cost. */
  readonly servers: readonly Child[];
}

const Loop = z.object({ answered: z.number(), rate: z.number(), p50: z.number(), p99: z.number() });

export interface HttpMeasured extends z.output<typeof Loop> {
  /**
   * Processor microseconds of the servers for each answer, all threads. It does not depend on what the generator takes
   * of the cores.
   */
  readonly cpu: number;
}

export class HttpLoad {
  readonly #generator = new Child("children/generator.ts");
  readonly #keys: number;

  /** Keys are from 1 to `keys`. */
  constructor(keys: number) {
    this.#keys = keys;
  }

  /** A closed loop of `connections`. Rejects when an answer is a refusal. */
  async run({ servers, ...target }: Target, connections: number, ms: number): Promise<HttpMeasured> {
    const used = () => servers.reduce((sum, server) => sum + server.cpuSeconds, 0);
    const before = used();
    const loop = await this.#generator.ask({ ...target, connections, ms, keys: this.#keys }, Loop);
    return { ...loop, cpu: ((used() - before) * 1e6) / Math.max(1, loop.answered) };
  }

  end(): Promise<void> {
    return this.#generator.end("SIGKILL");
  }
}
