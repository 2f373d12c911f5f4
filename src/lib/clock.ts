// Time as an argument: the system's clock, and one that tests move by hand.

/** Cancels a wake-up; harmless when it has happened. */
export type Cancel = () => void;

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /**
   * Calls `wake` once, `ms` from now (at once for 0 or less). Any number of milliseconds is right, 30 days as well as
   * 30.
   */
  after(ms: number, wake: () => void): Cancel;
}

/** `setTimeout` takes 31 bits; longer waits are taken in steps. */
const LONGEST_STEP = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer = setTimeout(
        () => (left > LONGEST_STEP ? wait(left - LONGEST_STEP) : wake()),
        Math.max(0, Math.min(left, LONGEST_STEP)),
      );
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until `advance` or `set` moves it; wake-ups run in the order of their times. */
export class ManualClock implements Clock {
  #now: number;
  #wakes: { at: number; wake: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, wake: () => void): Cancel {
    const entry = { at: this.#now + Math.max(0, ms), wake };
    this.#wakes.push(entry);
    return () => {
      this.#wakes = this.#wakes.filter((each) => each !== entry);
    };
  }

  /** Moves time forward, waking whatever falls due on the way. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#wakes.filter((each) => each.at <= until).toSorted((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#wakes = this.#wakes.filter((each) => each !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = until;
  }
}
