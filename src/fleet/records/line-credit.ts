// What a node's line can have carried: a bucket of line time that fills with the panel's clock, also while the node or
// the panel is away.
//
// The bucket is one stored timestamp, `lineFrom`: the line's time since then is not used up yet. Counting bytes moves
// it forward by the time that they take at full speed. So a node can never count more than its line could carry since
// it was added, plus one minute. Time that the node has already reported (`givenSince`) is kept for at most that
// minute.

/** So much line is there at least, once it has filled: agents report in lumps. */
export const LINE_MINUTE_MS = 60_000;

const BYTES_PER_MS_AND_GBPS = 125_000;

export class Line {
  readonly #bytesPerMs: number;
  readonly #from: number;
  #left: number;
  #used = 0;

  /** `gbps` 0: no bound. `now`: Unix milliseconds. */
  constructor(gbps: number, stored: { readonly lineFrom: number; readonly givenSince: number }, now: number) {
    this.#bytesPerMs = gbps * BYTES_PER_MS_AND_GBPS;
    const from = Math.max(stored.lineFrom, stored.givenSince - LINE_MINUTE_MS);
    // A clock that was set back does not shut a node out until it has caught up.
    this.#from = from > now ? now - LINE_MINUTE_MS : from;
    this.#left = gbps === 0 ? Infinity : (now - this.#from) * this.#bytesPerMs;
  }

  /** Takes bytes out of the bucket; false when there are not so many in it. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    this.#used += bytes;
    return true;
  }

  /** `lineFrom` after what was taken. */
  get from(): number {
    return this.#bytesPerMs === 0 ? this.#from : this.#from + Math.ceil(this.#used / this.#bytesPerMs);
  }
}
