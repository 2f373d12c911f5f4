// Reads the engine's counters into the ledger: at a steady interval, and at once before anything that may end an
// engine's life.
import type { Activity } from "./activity.ts";
import type { CounterReading } from "./engines/contract/driver.ts";
import type { Ledger } from "./ledger.ts";

export interface MeterOptions {
  /** Undefined while no engine runs. */
  readonly counters: () => Promise<CounterReading | undefined>;
  readonly ledger: Ledger;
  readonly activity: Activity;
  readonly intervalMs: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** After every reading that left a batch waiting. */
  readonly onBatch: () => void;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export class Meter {
  readonly #options: MeterOptions;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  /** The one that begins after `#reading`. */
  #following: Promise<void> | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#begin(), this.#options.intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Reads the counters. Never rejects: if a reading fails, the next one makes up for it, because counters only grow. A
   * running reading may have read the counters before the call, so another one follows; waiting calls share it.
   */
  read(): Promise<void> {
    if (this.#reading === undefined) return this.#begin();
    this.#following ??= this.#reading.then(() => {
      this.#following = undefined;
      return this.#begin();
    });
    return this.#following;
  }

  #begin(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { counters, ledger, activity, now, onBatch, onProblem } = this.#options;
    try {
      const reading = await counters();
      if (reading === undefined) return;
      const nowMs = now();
      activity.note(await ledger.record(reading, Math.floor(nowMs / 1000)), reading, nowMs);
      if (ledger.waiting > 0) onBatch();
    } catch (error) {
      onProblem("the engine's counters could not be read", error);
    }
  }
}
