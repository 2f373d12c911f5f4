// When something changed, for the last minutes: two generations of a map, so that what is old goes without being looked
// for.
import type { Clock } from "../../lib/clock.ts";

/** A change is remembered for so long at least, and for twice as long at most. */
const KEPT_MS = 5 * 60_000;

export class RecentChanges {
  readonly #clock: Pick<Clock, "now">;
  #young = new Map<number, number>();
  #old: ReadonlyMap<number, number> = new Map();
  #turned: number;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
    this.#turned = clock.now();
  }

  /** Something changed now. */
  add(id: number): void {
    this.#turn();
    this.#young.set(id, this.#clock.now());
  }

  /** Unix milliseconds of the last change; undefined where none is remembered. */
  at(id: number): number | undefined {
    this.#turn();
    return this.#young.get(id) ?? this.#old.get(id);
  }

  #turn(): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#turned) < KEPT_MS) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#turned = now;
  }
}
