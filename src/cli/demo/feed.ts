// The live stream of transitions (`/api/actors/stream`): every row as it comes, counts by state kept up to date, taken
// up again after a restart of the panel.
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { z } from "zod";
import { isServing } from "./serving.ts";

const Row = z.object({
  kind: z.string(),
  name: z.string(),
  at: z.int(),
  event: z.string(),
  from: z.string().nullable(),
  to: z.string(),
});
export type FeedRow = z.infer<typeof Row>;
const Counts = z.record(z.string(), z.record(z.string(), z.int()));
/** Actors by kind and state. */
export type FeedCounts = z.infer<typeof Counts>;
const Frame = z.object({ rows: z.array(Row), counts: Counts, dropped: z.int() });

/** Between two tries to reach a panel that restarts, milliseconds. */
const AGAIN_MS = 250;

export class Feed {
  readonly #url: string;
  readonly #token: string;
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  #counts: FeedCounts = {};
  #onRow: (row: FeedRow) => void = () => {};

  private constructor(url: string, token: string, signal: AbortSignal) {
    this.#url = url;
    this.#token = token;
    this.#signal = signal;
  }

  /**
   * Resolves once the first counts are there. The stream ends with the signal; `onProblem` hears what cannot be mended.
   */
  static async open(
    url: string,
    token: string,
    signal: AbortSignal,
    onProblem: (error: unknown) => void,
  ): Promise<Feed> {
    const feed = new Feed(url, token, signal);
    const first = feed.until(() => true, signal);
    feed.#follow().catch((error: unknown) => {
      if (!signal.aborted) onProblem(error);
    });
    await first;
    return feed;
  }

  get counts(): FeedCounts {
    return this.#counts;
  }

  /** Actors of a kind in a state. */
  count(kind: string, state: string): number {
    return this.#counts[kind]?.[state] ?? 0;
  }

  /** The listener that gets the rows from now on; there is only one. */
  onRow(listener: (row: FeedRow) => void): void {
    this.#onRow = listener;
  }

  /** Resolves after the first frame by which the condition holds. Rejects with the signal's reason. */
  async until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const listener = () => {
      if (holds()) resolve();
    };
    const onAbort = () => reject(signal.reason);
    this.#listeners.add(listener);
    signal.addEventListener("abort", onAbort, { once: true });
    if (Object.keys(this.#counts).length > 0) listener();
    try {
      await promise;
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** One connection after the other. Throws when the panel refuses the token or sends what is no frame. */
  async #follow(): Promise<void> {
    while (!this.#signal.aborted) {
      if (await isServing(this.#url, this.#signal)) await this.#connection();
      await delay(AGAIN_MS, undefined, { signal: this.#signal });
    }
  }

  /** Resolves when the connection has ended. */
  #connection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${this.#url.replace(/^http/, "ws")}/api/v1/actors/stream`, {
        headers: { authorization: `Bearer ${this.#token}` },
      });
      const onAbort = () => socket.terminate();
      this.#signal.addEventListener("abort", onAbort, { once: true });
      socket.on("message", (data: Buffer) => {
        try {
          this.#take(Frame.parse(JSON.parse(data.toString("utf8"))));
        } catch (error) {
          reject(new Error("the stream of transitions sent what is no frame", { cause: error }));
          socket.terminate();
        }
      });
      socket.on("unexpected-response", (_request, response) => {
        // A panel that restarts is waited for, like one that is away.
        if (response.statusCode !== 503)
          reject(new Error(`the stream of transitions answered ${response.statusCode ?? 0}`));
        socket.terminate();
      });
      // A close always follows an error, and a panel that is away is waited for.
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#signal.removeEventListener("abort", onAbort);
        resolve();
      });
    });
  }

  #take({ rows, counts }: z.infer<typeof Frame>): void {
    for (const [kind, states] of Object.entries(counts)) this.#counts[kind] = { ...this.#counts[kind], ...states };
    for (const row of rows) this.#onRow(row);
    for (const listener of this.#listeners) listener();
  }
}
