// What a database must offer to the committer. Two implementations: sqlite/ and postgresql/. Nothing above `db` knows
// which one runs.
import type { Lock, RowWrite } from "./row-writes.ts";
import type { Dialect, Row, SqlValue } from "./table.ts";

/** SQL text with positional parameters in the dialect's own form. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** The text comes again and again, and its plan is the same for all values: worth preparing. */
  readonly again?: true;
  /** It may walk through many rows: nobody else should wait for it. */
  readonly scans?: true;
  /**
   * It looks at few rows of many short ranges, which is less work than the database expects: PostgreSQL uses its
   * indexes and does not compile it to machine code, which would take longer than the query.
   */
  readonly short?: true;
}

/**
 * A statement of a set-based change. `rows`: how many rows it must touch, else everything is rolled back
 * (`ExpectationFailed`, named by `label`).
 */
export interface Statement extends Sql {
  readonly label: string;
  readonly rows?: number;
  /** Several commands of one batch that ask for this very statement have it run once, for all of them. */
  readonly once?: true;
}

/**
 * Statements of one transaction. As a function they are made when it has begun: what they take from the clock is then
 * no older than the transaction.
 */
export type Statements = readonly Statement[] | (() => readonly Statement[]);

export interface StatementResult {
  /** Rows touched (or returned). */
  readonly count: number;
  readonly rows: readonly Row[];
}

/**
 * What a batch writes, in the order of execution: purges, deletes, updates, inserts, upserts, additions, then set-based
 * statements.
 */
export interface WriteSet {
  readonly purges: readonly RowWrite[];
  readonly writes: readonly RowWrite[];
  readonly statements: readonly Statement[];
}

/**
 * One transaction. `load` takes the locks, `finish` writes and commits, `abandon` rolls back. Exactly one of the last
 * two ends it.
 */
export interface Session {
  /** Rows by lock key; null where there is none. Locks are taken in (table, id) order. */
  load(locks: readonly Lock[]): Promise<Map<string, Row | null>>;
  /** `note`: the message to other processes, written in the same transaction; only if there is a log. */
  finish(writes: WriteSet, note?: string): Promise<void>;
  abandon(): Promise<void>;
}

/** What a read of the log found. */
export interface LogReading {
  readonly notes: readonly string[];
  readonly position: string;
  /** Ids of the oldest note that is kept and of the newest. */
  readonly first: number;
  readonly last: number;
}

/** What several processes on one database tell each other of their commits. See `follow.ts`. */
export interface CommitLog {
  /**
   * Leaves a note of its own, so that the log is never empty. Resolves to a position behind everything that is
   * committed by then.
   */
  join(): Promise<Pick<LogReading, "position" | "last">>;
  /**
   * Notes of other processes' commits behind a position (and before another one), each after those that its commit
   * rests on, and the position behind them.
   */
  since(position: string, until?: string): Promise<LogReading>;
  /** Forgets the notes before one, by their ids. */
  prune(before: number): Promise<void>;
  /** Tells the other processes that there is something to read, soon and perhaps. */
  hint(): void;
  /** Calls `heard` when another process hinted. Returns the way to stop. */
  listen(heard: () => void): () => void;
}

export interface Store {
  readonly dialect: Dialect;
  /** Undefined where no other process can be on the database. */
  readonly log?: CommitLog;
  /** How many transactions on disjoint rows may run at the same time. */
  readonly sessions: number;
  /**
   * True if set-based changes must not run at the same time as a batch (a single writer, whose batches decide on rows
   * that were read earlier).
   */
  readonly exclusiveStatements: boolean;
  begin(): Session;
  /** Runs statements in one transaction of their own, with a note as `finish` has. */
  execute(statements: Statements, note?: string): Promise<StatementResult[]>;
  /**
   * The age in milliseconds of the oldest transaction, in any process, that may still write; 0 when there is none.
   * Undefined: transactions take no time.
   */
  oldestWriteMs?(): Promise<number>;
  /** Reads committed rows, as the driver returns them. */
  read(sql: Sql): Promise<Row[]>;
  /** Reserves `count` ids of a sequence, durably; resolves to the first. */
  reserve(sequence: string, count: number): Promise<number>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
