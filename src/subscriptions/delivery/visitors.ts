// Addresses from which subscriptions were fetched a short while ago: who holds a link may be told that there are links.
import { sourceKey } from "../../lib/addresses.ts";

/** As long as the limit of requests looks back, and once more. */
const KEPT_MS = 120_000;
/** Addresses that are remembered; past it the first of them are forgotten. */
const MOST = 20_000;

export class Visitors {
  readonly #now: () => number;
  readonly #seen = new Map<string, number>();

  /** `now`: milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(ip: string): void {
    const key = sourceKey(ip);
    // Behind the others again: the first is the one that was not seen for longest.
    this.#seen.delete(key);
    this.#seen.set(key, this.#now());
    const [first] = this.#seen.keys();
    if (this.#seen.size > MOST && first !== undefined) this.#seen.delete(first);
  }

  has(ip: string): boolean {
    return this.#now() - (this.#seen.get(sourceKey(ip)) ?? -Infinity) < KEPT_MS;
  }
}
