// How much one end takes from the other in a time: a bucket of bytes. Past it nothing is refused; the socket rests, and
// TCP holds the sender back.

export interface IntakeRate {
  readonly bytesPerSecond: number;
  /** Bytes that may come at once. */
  readonly burstBytes: number;
}

/** What reading any message costs, however short it is. */
const LEAST_BYTES = 2048;

export class Intake {
  readonly #rate: IntakeRate;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** `now` in milliseconds, monotonic. */
  constructor(rate: IntakeRate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
    this.#left = rate.burstBytes;
    this.#at = now();
  }

  /** Takes in a message of so many bytes; the answer is for how many milliseconds nothing more is to be read. */
  charge(bytes: number): number {
    const { bytesPerSecond, burstBytes } = this.#rate;
    const now = this.#now();
    this.#left =
      Math.min(burstBytes, this.#left + ((now - this.#at) * bytesPerSecond) / 1000) - Math.max(LEAST_BYTES, bytes);
    this.#at = now;
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / bytesPerSecond);
  }
}
