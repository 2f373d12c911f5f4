// Requests that are held until something comes: how many may be, and how each ends.
import type { Caller, Condition, RequestFacts } from "../http/index.ts";
import { callerKey, Refusal } from "../http/index.ts";
import { sourceKey } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import type { LogCursor } from "./log-cursor.ts";
import type { Begin, LogEvent, LogPage, LogReader } from "./log-reader.ts";
import type { LogTail } from "./log-tail.ts";

/** Seconds that a request may ask to be held. */
export const MOST_WAIT = 30;
/** Requests that are held at a time: of one caller, from one address, and in all. */
const PER_CALLER = 8;
const PER_ADDRESS = 32;
const IN_ALL = 512;
/** Events that are looked at in one piece. */
const STRETCH = 1000;

/** A request that may be held. */
export interface Waiting {
  readonly caller: Caller;
  readonly request: Pick<RequestFacts, "ip">;
  /** Aborted when the caller has left or the panel stops. */
  readonly signal: AbortSignal;
  /** Throws when the caller may no longer see what it might when it asked. */
  readonly recheck: () => Promise<void>;
  readonly from: LogCursor | Begin;
  readonly limit: number;
  readonly where: readonly Condition[];
  /** Whether an event is one that the caller waits for. */
  readonly wants: (event: LogEvent) => boolean;
  readonly seconds: number;
}

export class LogWaiting {
  readonly #reader: LogReader;
  readonly #tail: LogTail;
  readonly #clock: Clock;
  readonly #held = new Map<string, number>();

  constructor(reader: LogReader, tail: LogTail, clock: Clock) {
    this.#reader = reader;
    this.#tail = tail;
    this.#clock = clock;
  }

  /** The page behind a place; where it is empty, the first one that is not within the time, else the empty one. */
  async page(waiting: Waiting): Promise<LogPage> {
    const { from, limit, where, seconds, signal, caller, request, recheck } = waiting;
    const first = await this.#reader.page(from, limit, where);
    if (seconds === 0 || first.rows.length > 0 || signal.aborted) return first;
    const release = this.#hold([
      [callerKey(caller), PER_CALLER],
      [`address:${sourceKey(request.ip)}`, PER_ADDRESS],
      ["all", IN_ALL],
    ]);
    try {
      await this.#untilWanted(waiting, first.to);
    } finally {
      release();
    }
    await recheck();
    return this.#reader.page(first.to, limit, where);
  }

  /** Resolves when there is something behind `from`, the time is over, or nobody waits any more. */
  async #untilWanted({ wants, signal, seconds }: Waiting, from: LogCursor): Promise<void> {
    const { promise: over, resolve: wake } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(seconds * 1000, wake);
    signal.addEventListener("abort", () => wake(), { once: true });
    if (signal.aborted) wake();
    const seat = await this.#tail.join();
    try {
      // What came between the page and the seat. The last look at the end and the listening are one step.
      let known = from.position;
      for (let end = this.#end; end > known; end = this.#end) {
        const missed = await this.#reader.stretch(known, STRETCH);
        if (missed.some(wants)) return;
        known = missed.length < STRETCH ? end : (missed.at(-1)?.position ?? end);
      }
      seat.listen((events) => {
        if (events.some((event) => event.position > known && wants(event))) wake();
      });
      await over;
    } finally {
      cancel();
      seat.leave();
    }
  }

  get #end(): number {
    return this.#tail.position ?? 0;
  }

  #hold(places: readonly (readonly [string, number])[]): () => void {
    for (const [key, most] of places) {
      const held = this.#held.get(key) ?? 0;
      if (held >= most)
        throw new Refusal("rate_limited", { message: `${held} requests are waiting already`, retryAfter: 1 });
    }
    for (const [key] of places) this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    return () => {
      for (const [key] of places) {
        const left = (this.#held.get(key) ?? 1) - 1;
        if (left === 0) this.#held.delete(key);
        else this.#held.set(key, left);
      }
    };
  }
}
