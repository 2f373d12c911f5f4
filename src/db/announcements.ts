// Tells listeners about commits: of this process and of other processes, after each is on disk. The last message about
// a row is always its newest version.
import { EventEmitter } from "eventemitter3";
import type { Clock } from "../lib/clock.ts";
import { lockKey, type RowChange } from "./row-writes.ts";
import { StoreUnavailable } from "./errors.ts";
import type { Facts } from "./facts.ts";
import type { Reader } from "./read.ts";
import { rowsNow } from "./rows-now.ts";
import { OpenBatches, type Batch } from "./open-batches.ts";

/** What listeners are told after a commit. */
export interface Committed {
  readonly changes: readonly RowChange[];
  readonly facts: Facts;
  /**
   * The texts of the set-based statements of the commit, whose rows are not among `changes`. A statement changes no
   * table that it does not name: there are no triggers and no cascades.
   */
  readonly statements?: readonly string[];
  /**
   * Another process's: `before` is unknown then, `after` may be newer than the commit, and only tables and facts of the
   * `echo` are told of.
   */
  readonly remote?: true;
}

/** The pause between attempts to read a row again after two messages about it. */
const READ_AGAIN_MS = 200;

export interface AnnouncementOptions {
  readonly reads: Reader;
  readonly clock: Clock;
  /** A listener threw: a defect, since the commit is on disk and cannot be refused any more. */
  readonly onListenerError: (error: unknown) => void;
}

export class Announcements {
  /** The batches whose commits this process may not know of yet. */
  readonly openBatches = new OpenBatches();
  readonly #options: AnnouncementOptions;
  readonly #events = new EventEmitter<{ committed: [Committed] }>();

  constructor(options: AnnouncementOptions) {
    this.#options = options;
  }

  /** Returns the way to stop. One that throws does not keep the others from hearing. */
  add(listener: (committed: Committed) => void): () => void {
    const heard = (committed: Committed) => {
      try {
        listener(committed);
      } catch (error) {
        this.#options.onListenerError(error);
      }
    };
    this.#events.on("committed", heard);
    return () => this.#events.off("committed", heard);
  }

  announce(committed: Committed): void {
    if (committed.remote) this.openBatches.hear(committed.changes);
    this.#events.emit("committed", committed);
  }

  /**
   * Messages from other processes that arrived before this commit's answer may be older or newer than it. Such rows are
   * read again, so the last message is never the older one.
   */
  async announceBatch(committed: Committed, { heard }: Batch): Promise<void> {
    if (heard.size === 0) {
      this.announce(committed);
      return;
    }
    const changes = new Map(committed.changes.map((change) => [lockKey(change), change]));
    for (;;) {
      const doubtful = [...changes].filter(([key]) => heard.delete(key));
      if (doubtful.length === 0) break;
      for (const [key, change] of doubtful) changes.set(key, await this.#asItIsNow(change));
    }
    this.announce({ ...committed, changes: [...changes.values()] });
  }

  async #asItIsNow(change: RowChange): Promise<RowChange> {
    const { reads, clock, onListenerError } = this.#options;
    for (;;) {
      try {
        const [now] = await rowsNow(reads, change.table, [change.id]);
        return { ...change, after: now?.after };
      } catch (error) {
        if (error instanceof StoreUnavailable)
          await new Promise<void>((resolve) => clock.after(READ_AGAIN_MS, resolve));
        else {
          onListenerError(error);
          return change;
        }
      }
    }
  }
}
