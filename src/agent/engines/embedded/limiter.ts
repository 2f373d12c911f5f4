// A user's speed limit in one direction: an exact token bucket that all sessions of the user share.

/** Unused rate is kept for this long at most: a pause earns no burst. */
const CREDIT_MS = 50;
/**
 * While bytes keep coming, unused rate is the fault of late timers on a loaded machine, and this much of it is made up
 * for.
 */
const BUSY_CREDIT_MS = 250;
const BUSY_GAP_MS = 300;
/** Bytes may leave this much before their time: finer than timers can wait. */
const AHEAD_MS = 4;
/** A slice is what the rate moves in this time, so that sessions take turns and a slow rate flows evenly. */
const SLICE_MS = 40;
const MIN_SLICE_BYTES = 512;

export class TokenBucket {
  /** Bytes per second; 0 = no limit. */
  rate: number;
  readonly #clock: () => number;
  /** When all bytes promised so far will have left at `rate`. */
  #busyUntil: number;
  #lastAsked = -Infinity;

  /** `clock`: milliseconds that never run backwards. */
  constructor(rate: number, clock: () => number) {
    this.rate = rate;
    this.#clock = clock;
    this.#busyUntil = clock();
  }

  /**
   * Takes effect at once: bytes already promised keep their time, but count at the new rate for those that come after.
   */
  setRate(rate: number): void {
    if (rate === this.rate) return;
    const now = this.#clock();
    const promised = (Math.max(0, this.#busyUntil - now) * this.rate) / 1000;
    this.rate = rate;
    this.#busyUntil = rate === 0 ? now : now + (promised / rate) * 1000;
  }

  /** Bytes worth reserving in one step. */
  get slice(): number {
    return Math.max(MIN_SLICE_BYTES, Math.floor((this.rate * SLICE_MS) / 1000));
  }

  /** Reserves `bytes` and answers after how many milliseconds they may leave; 0 = now. */
  reserve(bytes: number): number {
    if (this.rate === 0) return 0;
    const now = this.#clock();
    this.#busyUntil = this.#begin(now) + (bytes / this.rate) * 1000;
    const wait = this.#busyUntil - now;
    return wait <= AHEAD_MS ? 0 : wait;
  }

  /** For datagrams, which are dropped rather than delayed: reserves `bytes` if they would leave within `patienceMs`. */
  admit(bytes: number, patienceMs: number): boolean {
    if (this.rate === 0) return true;
    const now = this.#clock();
    const until = this.#begin(now) + (bytes / this.rate) * 1000;
    // A datagram longer than the patience at this rate still passes an idle bucket, else a slow user would get none at
    // all.
    if (until - now > patienceMs && this.#busyUntil > now) return false;
    this.#busyUntil = until;
    return true;
  }

  /** When bytes asked for now begin to leave. */
  #begin(now: number): number {
    const credit = now - this.#lastAsked < BUSY_GAP_MS ? BUSY_CREDIT_MS : CREDIT_MS;
    this.#lastAsked = now;
    return Math.max(this.#busyUntil, now - credit);
  }
}
