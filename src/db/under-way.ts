// The batches of this process between the reading of their rows and the announcement of what they wrote. A commit is on
// disk before its process knows: meanwhile other sessions and other processes may have gone on from it.
import { lockKey, type Lock, type RowChange } from "./draft.ts";

/**
 * `written`: what it writes, by lock key. `heard`: rows that other processes reported as changed since this batch read
 * its rows.
 */
export interface Batch {
  written: ReadonlyMap<string, unknown>;
  readonly heard: Set<string>;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

export class UnderWay {
  readonly #batches = new Set<Batch>();

  /** Before its rows are read. */
  begin(): Batch {
    const batch: Batch = { written: NOTHING, heard: new Set() };
    this.#batches.add(batch);
    return batch;
  }

  /** Its listeners have heard, or there is nothing to hear. */
  end(batch: Batch): void {
    this.#batches.delete(batch);
  }

  /**
   * A row that a batch makes is held by no lock of it, and yet nobody may go on from it here before it is announced.
   */
  writes(locks: readonly Lock[]): boolean {
    for (const { written } of this.#batches) {
      if (written.size > 0 && locks.some(({ key }) => written.has(key))) return true;
    }
    return false;
  }

  /** Changes of other processes were announced. */
  hear(changes: readonly RowChange[]): void {
    if (this.#batches.size === 0) return;
    for (const change of changes) {
      const key = lockKey(change);
      for (const { heard } of this.#batches) heard.add(key);
    }
  }
}
