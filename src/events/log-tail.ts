// The end of the log, for those who wait there: what got a position is read once for all of them.
//
// Invariant: who listens from a moment on hears of every event behind the `position` of that moment, in order.
// Listeners pass by what they have seen already.
import { isToldByWatch, type Committed } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import type { Log } from "./log.ts";
import { POSITIONS_GIVEN } from "./log-positions.ts";
import type { LogEvent, LogReader } from "./log-reader.ts";

/** Without a word of new positions it is looked for some: a hint may be lost. */
const POLL_MS = 1000;
const PAGE = 1000;

export type TailListener = (events: readonly LogEvent[]) => void;

export interface LogTailDeps {
  readonly reader: LogReader;
  readonly clock: Clock;
  readonly log: Log;
}

/** Somebody at the end of the log, until `leave`. */
export interface Seat {
  /** The end as it was. */
  readonly position: number;
  /** Hears of what comes behind `position` from now on. */
  readonly listen: (listener: TailListener) => void;
  readonly leave: () => void;
}

export class LogTail {
  readonly #deps: LogTailDeps;
  readonly #listeners = new Set<TailListener>();
  #guests = 0;
  #position: number | undefined;
  #beginning: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  /** Calls for a look. One that comes while a look is under way makes it go on. */
  #calls = 0;
  #stopped = false;
  #poll: Cancel = () => {};

  constructor(deps: LogTailDeps) {
    this.#deps = deps;
  }

  /** Behind it listeners hear everything; undefined until the end was looked for. Positions given later are larger. */
  get position(): number | undefined {
    return this.#position;
  }

  /** Follows commits. */
  follow({ facts }: Committed): void {
    if (facts.has(POSITIONS_GIVEN)) this.#look();
  }

  /** Finds the end. Should it not be found now, whoever joins looks again. */
  start(): void {
    this.#begin().catch((error: unknown) => this.#warn(error));
  }

  /** Somebody comes; the end is known from then on. */
  async join(): Promise<Seat> {
    await this.#begin();
    const position = this.#position ?? 0;
    let listening: TailListener | undefined;
    let left = false;
    this.#guests++;
    this.#pollLater();
    const leave = (): void => {
      if (left) return;
      left = true;
      if (listening) this.#listeners.delete(listening);
      if (--this.#guests === 0) this.#poll();
    };
    const listen = (listener: TailListener): void => {
      if (left) return;
      listening = listener;
      this.#listeners.add(listener);
    };
    return { position, listen, leave };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#poll();
    await this.#looking;
  }

  #begin(): Promise<void> {
    this.#beginning ??= this.#headPosition().then(
      (position) => void (this.#position = position),
      (error: unknown) => {
        this.#beginning = undefined;
        throw error;
      },
    );
    return this.#beginning;
  }

  async #headPosition(): Promise<number> {
    return (await this.#deps.reader.state()).head.position;
  }

  #look(): void {
    if (this.#position === undefined || this.#stopped) return;
    this.#calls++;
    this.#looking ??= this.#lookUntilDone(this.#position)
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#looking = undefined;
        this.#pollLater();
      });
  }

  async #lookUntilDone(from: number): Promise<void> {
    for (let position = from, seen = -1; seen !== this.#calls;) {
      seen = this.#calls;
      if (this.#listeners.size === 0) position = await this.#headPosition();
      // Somebody may have begun to listen meanwhile: what was passed by is read after all.
      if (this.#listeners.size > 0) {
        const events = await this.#deps.reader.stretch(this.#position ?? 0, PAGE);
        position = events.at(-1)?.position ?? position;
        for (const listener of this.#listeners) listener(events);
        if (events.length === PAGE) seen = -1;
      }
      this.#position = Math.max(this.#position ?? 0, position);
    }
  }

  #pollLater(): void {
    this.#poll();
    if (this.#guests > 0 && !this.#stopped) this.#poll = this.#deps.clock.after(POLL_MS, () => this.#look());
  }

  #warn(error: unknown): void {
    if (!isToldByWatch(error)) this.#deps.log.warn({ err: error }, "the log of events could not be read");
  }
}
