// The place of an errand among those of its kind, which it lends while it waits for something outside.
//
// Invariants:
// - While a place is lent, one more of the kind may be at work; before the errand goes on, it has a place again. So of
//   one kind no more are at work than may be, and any number may wait.
// - A place is lent once: what waits inside or beside such a wait lends nothing more.
// - Once the errand has left (`leave`), it lends nothing, also if it ignores its abort and never returns from its wait.
import type PQueue from "p-queue";

export class Place {
  readonly #queue: PQueue;
  #lent = false;
  #left = false;

  constructor(queue: PQueue) {
    this.#queue = queue;
  }

  /** Gives the place to others while `wait` waits. Rejects when the signal was aborted meanwhile. */
  async lend<T>(signal: AbortSignal, wait: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#lent || this.#left) return wait();
    this.#lent = true;
    this.#queue.concurrency++;
    try {
      return await wait();
    } finally {
      // Before others of the queue begin. An aborted errand waits for no place: it only has to end.
      const taken = this.#queue.add(() => Promise.resolve(this.#takeBack()), { priority: 1 });
      if (!signal.aborted) await Promise.race([taken, aborted(signal)]);
      signal.throwIfAborted();
    }
  }

  /** The errand is no longer among those that have a place. */
  leave(): void {
    this.#left = true;
    this.#takeBack();
  }

  #takeBack(): void {
    if (!this.#lent) return;
    this.#lent = false;
    this.#queue.concurrency--;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
