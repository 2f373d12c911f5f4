// The batches of this process that have read their rows and not yet announced what they wrote. A commit is on disk
// before its process knows. In between, other sessions and processes may already have read it and changed it further.
import { lockKey, type Lock, type RowChange } from "./row-writes.ts";

/**
 * `written`: what it writes, by lock key. `heard`: rows that other processes reported as changed since this batch read
 * its rows.
 */
export interface Batch {
  written: ReadonlyMap<string, unknown>;
  readonly heard: Set<string>;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

export class OpenBatches {
  readonly #batches = new Set<Batch>();

  /** Before its rows are read. */
  begin(): Batch {
    const batch: Batch = { written: NOTHING, heard: new Set() };
    this.#batches.add(batch);
    return batch;
  }

  /** Its listeners have received the commit, or there is nothing to announce. */
  end(batch: Batch): void {
    this.#batches.delete(batch);
  }

  /**
   * Whether an open batch writes one of these rows. A batch holds no lock on a row that it inserts, but no other batch
   * may use the row before it is announced.
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
