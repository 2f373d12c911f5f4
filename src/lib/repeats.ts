// What would be said again and again is said at once, and then once a minute with how often it came: a disk that is
// full says so at every reading, and a program asks all day.

const QUIET_MS = 60_000;
const MOST_KEPT = 1000;

export class Repeats {
  readonly #now: () => number;
  readonly #told = new Map<string, { at: number; since: number }>();

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The addition to the line if it should be logged now; otherwise undefined. */
  take(what: string): { readonly repeated?: number } | undefined {
    const at = this.#now();
    const before = this.#told.get(what);
    if (before && at - before.at < QUIET_MS && at >= before.at) {
      before.since += 1;
      return undefined;
    }
    if (this.#told.size >= MOST_KEPT) this.#told.clear();
    this.#told.set(what, { at, since: 0 });
    return before && before.since > 0 ? { repeated: before.since } : {};
  }
}
