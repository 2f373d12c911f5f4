// The queue of waiting units, in order, and the rows that running batches hold. It decides which units may run together
// and which must wait.
import type { Lock } from "./row-writes.ts";
import { RowHolds } from "./holds.ts";
import type { Pending } from "./pending.ts";

export class UnitQueue {
  readonly #holds = new RowHolds();
  readonly #most: number;
  #waiting: Pending[] = [];

  /** `most`: units in a batch. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#waiting.length;
  }

  add(pending: Pending): void {
    this.#waiting.push(pending);
  }

  /**
   * Takes the next batch: in order, what no running batch, nothing that `excluded` knows of and no earlier unit left
   * behind excludes. Its rows are held until `release`.
   */
  take(excluded: (locks: readonly Lock[]) => boolean): Pending[] {
    const members: Pending[] = [];
    const left: Pending[] = [];
    const barred = new Set<string>();
    let index = 0;
    for (; index < this.#waiting.length && members.length < this.#most; index++) {
      const pending = this.#waiting[index];
      if (!pending) continue;
      if (this.#holds.allows(pending.locks, barred) && !excluded(pending.locks)) members.push(pending);
      else {
        left.push(pending);
        for (const wanted of pending.locks) barred.add(wanted.key);
        // A long line for the same rows is not walked through for every batch.
        if (left.length > this.#most * 4) {
          index++;
          break;
        }
      }
    }
    this.#waiting = left.length === 0 && index === this.#waiting.length ? [] : [...left, ...this.#waiting.slice(index)];
    for (const member of members) this.#holds.hold(member.locks);
    return members;
  }

  /**
   * Ends a batch: lets go of what it held (its members' locks as they were taken), and puts those back to the head that
   * must come again.
   */
  release(held: readonly Lock[], again: readonly Pending[]): void {
    this.#waiting.unshift(...again);
    this.#holds.release(held);
  }
}
