// How many records a step has: as many as a commit does in the time that others may wait for it.

/** Time of a commit. */
const TARGET_MS = 20;
const MOST = 1000;
const FIRST = 50;

export class StepSize {
  #records = FIRST;

  /** Of the next step. */
  get records(): number {
    return this.#records;
  }

  /** A step of so many records was decided and written in so many milliseconds. */
  took(records: number, ms: number): void {
    const fitting = Math.round((records * TARGET_MS) / Math.max(ms, 1));
    // One slow commit says little: the size at most doubles or halves.
    const within = Math.min(Math.max(fitting, Math.floor(records / 2)), records * 2);
    this.#records = Math.min(Math.max(within, 1), MOST);
  }

  /** A step of so many failed as a whole. Returns how many of them are tried next. */
  failed(records: number): number {
    this.#records = Math.max(1, Math.floor(records / 2));
    return this.#records;
  }
}
