// The panel's time: runs with the process's monotonic clock, and follows a source that may be set (the machine's clock,
// or that of the database where several processes share one).
import { systemClock, type Cancel, type Clock } from "./clock.ts";

/** A difference up to this many milliseconds is drift, a larger one means that the source was set. */
const DRIFT_MS = 1000;

export class SteadyClock implements Clock {
  /** The source's time minus the monotonic one, milliseconds. */
  #offset: number;

  constructor(now: number) {
    this.#offset = now - performance.now();
  }

  now(): number {
    return Math.floor(this.#offset + performance.now());
  }

  after(ms: number, wake: () => void): Cancel {
    return systemClock.after(ms, wake);
  }

  /**
   * Takes over the source's time `said` (Unix milliseconds), which is known to within `doubt` milliseconds: less of a
   * difference changes nothing. Returns by how many milliseconds the source was set since the last call: positive
   * forward, negative back, 0 when it was not.
   */
  follow(said: number, doubt = 0): number {
    const difference = said - (this.#offset + performance.now());
    if (Math.abs(difference) <= doubt) return 0;
    this.#offset += difference;
    return Math.abs(difference) > DRIFT_MS ? Math.round(difference) : 0;
  }
}
