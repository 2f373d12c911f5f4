// What a commit or read can fail with, said in terms that every caller can act on.

/** The store did not answer or is shutting down; nothing of the change is on disk. Repeating it later is right. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The database gave way to another transaction (deadlock, serialization); nothing is on disk and the committer tries again. */
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

/** Thrown by `decide` (through the draft) when it needs rows it has not locked; the committer locks them and decides again. */
export class NeedLocks extends Error {
  override readonly name = "NeedLocks";
  readonly locks: readonly { table: string; id: string | number; mode: "write" | "read" }[];
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
