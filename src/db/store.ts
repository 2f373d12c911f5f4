// What a database must offer to the committer. Two implementations: sqlite/ and postgresql/. Nothing above `db` knows which one runs.
import type { Lock, RowWrite } from "./draft.ts";
import type { Dialect, Row, SqlValue } from "./table.ts";

/** SQL text with positional parameters in the dialect's own form. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** A statement of a set-based change. `rows`: how many rows it must touch, else everything is rolled back (`ExpectationFailed`, named by `label`). */
export interface Statement extends Sql {
  readonly label: string;
  readonly rows?: number;
}

export interface StatementResult {
  /** Rows touched (or returned). */
  readonly count: number;
  readonly rows: readonly Row[];
}

/** What a batch writes, in the order of execution: purges, deletes, updates, then inserts and upserts. */
export interface WriteSet {
  readonly purges: readonly RowWrite[];
  readonly writes: readonly RowWrite[];
}

/** One transaction. `load` takes the locks, `finish` writes and commits, `abandon` rolls back. Exactly one of the last two ends it. */
export interface Session {
  /** Rows by lock key; null where there is none. Locks are taken in (table, id) order. */
  load(locks: readonly Lock[]): Promise<Map<string, Row | null>>;
  finish(writes: WriteSet): Promise<void>;
  abandon(): Promise<void>;
}

export interface Store {
  readonly dialect: Dialect;
  /** Transactions of disjoint rows that may be under way at once. */
  readonly sessions: number;
  /** True when set-based changes must not run beside a batch (a single writer whose batches were decided on rows read before). */
  readonly exclusiveStatements: boolean;
  begin(): Session;
  /** Runs statements in one transaction of their own. */
  execute(statements: readonly Statement[]): Promise<StatementResult[]>;
  /** Reads committed rows, as the driver returns them. */
  read(sql: Sql): Promise<Row[]>;
  /** Reserves `count` ids of a sequence, durably; resolves to the first. */
  reserve(sequence: string, count: number): Promise<number>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
