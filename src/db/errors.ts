// What a commit or read can fail with, said in terms that every caller can act on.
import type { Lock } from "./row-writes.ts";

/** The store did not answer or is shutting down; nothing of the change is on disk. Repeating it later is right. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/**
 * The store was lost while it committed. `settled` says whether the change is on disk, as soon as the store can be
 * asked; it rejects when this process ends first.
 */
export class OutcomeUnknown extends StoreUnavailable {
  readonly settled: Promise<boolean>;
  constructor(settled: Promise<boolean>, options?: ErrorOptions) {
    super("the database was lost while it committed; whether the change holds is not known yet", options);
    this.settled = settled;
  }
}

/** This process cannot carry it out; another one on the database can. `message` says why. Nothing is on disk. */
export class ElsewhereOnly extends Error {
  override readonly name: string = "ElsewhereOnly";
}

/** What is stored cannot be read or written any more, and waiting does not help: `message` says what does. */
export class StoreDamaged extends StoreUnavailable {}

/** The database cannot be used as it is; `message` is a sentence for the person who starts the panel. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
}

/** What is in the file is not what was written there. */
export class DatabaseDamaged extends DatabaseRefused {}

/** A value is none of its column's type, or too large for it; nothing is on disk, and repeating it does not help. */
export class ValueUnfit extends Error {
  override readonly name = "ValueUnfit";
}

/**
 * The database gave way to another transaction (deadlock, serialization); nothing is on disk and the committer tries
 * again.
 */
export class StoreContention extends Error {
  override readonly name = "StoreContention";
}

/** A unique constraint refused the change. `table` and `columns` name it as far as the database said. */
export class UniqueConflict extends Error {
  override readonly name = "UniqueConflict";
  readonly table: string;
  readonly columns: readonly string[];
  constructor(table: string, columns: readonly string[], options?: ErrorOptions) {
    super(`duplicate value in ${table} (${columns.join(", ")})`, options);
    this.table = table;
    this.columns = columns;
  }
}

/** A statement that must touch a given number of rows touched another; the whole transaction was rolled back. */
export class ExpectationFailed extends Error {
  override readonly name = "ExpectationFailed";
  readonly label: string;
  readonly rows: number;
  constructor(label: string, rows: number) {
    super(`${label}: ${rows} rows`);
    this.label = label;
    this.rows = rows;
  }
}

/**
 * Thrown by `decide` (through the draft) when it needs rows it has not locked; the committer locks them and decides
 * again.
 */
export class NeedLocks extends Error {
  override readonly name = "NeedLocks";
  readonly locks: readonly Lock[];
  constructor(locks: NeedLocks["locks"]) {
    super(`needs ${locks.map((lock) => `${lock.table}:${lock.id}`).join(", ")}`);
    this.locks = locks;
  }
}

/** Thrown by a draft when the reserved ids of a sequence ran out; the committer reserves more and decides again. */
export class NeedIds extends Error {
  override readonly name = "NeedIds";
  readonly sequence: string;
  constructor(sequence: string) {
    super(`needs ids of ${sequence}`);
    this.sequence = sequence;
  }
}
