// When the next process may take over from the last: a process that finishes its connections takes memory, so changes
// are gathered while there are many.

const GATHER_MS = { shortest: 250, longest: 4000 };

export class SwapGate {
  readonly #now: () => number;
  #doneAt = -Infinity;

  /** `now`: Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Milliseconds to wait from now on, given how many processes still finish their connections. The first swap after a
   * calm waits for nothing.
   */
  wait(draining: number): number {
    const distance = Math.min(GATHER_MS.longest, GATHER_MS.shortest * 2 ** draining);
    return Math.max(0, this.#doneAt + distance - this.#now());
  }

  /** A swap is done. */
  pass(): void {
    this.#doneAt = this.#now();
  }
}
