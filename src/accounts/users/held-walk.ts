// A figure that only a walk through all accounts can say: one walk answers every question for a while, and the longer
// it takes the longer it holds. Short ones are not kept, so that a small panel is always exact.

/** Walks take at most this share of the time. */
const SHARE = 1 / 20;
/** Milliseconds: a walk that took no longer is neither kept nor shared. */
const SHORT = 10;

export class HeldWalk<T> {
  readonly #read: () => Promise<T>;
  readonly #now: () => number;
  #walk: Promise<T> | undefined;
  /** Whether walks are known to be long. */
  #long = false;
  /** Milliseconds; from when and until when the last walk holds: one before it is of a clock that was set back. */
  #holds = { from: 0, until: 0 };

  /** `now`: milliseconds. */
  constructor(read: () => Promise<T>, now: () => number) {
    this.#read = read;
    this.#now = now;
  }

  /** What it said is no longer so: whoever asks from now on does not get a walk that began before. */
  forget(): void {
    this.#walk = undefined;
  }

  answer(): Promise<T> {
    const begun = this.#now();
    if (this.#walk && this.#long && begun >= this.#holds.from && begun < this.#holds.until) return this.#walk;
    const walk = this.#read();
    this.#walk = walk;
    // Callers that ask meanwhile wait for the same walk.
    this.#holds = { from: begun, until: Number.POSITIVE_INFINITY };
    void walk.then(
      () => {
        const ended = this.#now();
        if (this.#walk !== walk) return;
        this.#long = ended - begun > SHORT;
        this.#holds = { from: ended, until: ended + (ended - begun) / SHARE };
      },
      () => {
        if (this.#walk === walk) this.#walk = undefined;
      },
    );
    return walk;
  }
}
