// The only writer of a SQLite panel: a worker thread that owns the write connection and carries out one transaction per
// message.
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import type { SqlValue } from "../table.ts";
import { givenFile } from "./threads.ts";

/**
 * One statement, run `runs` times, each time with the next equal part of `values` (one flat list: cheap to hand over).
 * `expect`: rows it must touch in all.
 */
export interface WriterStatement {
  readonly text: string;
  readonly runs: number;
  readonly values: readonly SqlValue[];
  readonly label?: string;
  readonly expect?: number;
}
export interface WriterRequest {
  readonly id: number;
  readonly statements: readonly WriterStatement[];
  /**
   * The statements rest on rows that were read before: they are refused (`OVERTAKEN`) when another connection has
   * written since the writer's last transaction.
   */
  readonly onReadRows: boolean;
}
export interface WriterResult {
  readonly count: number;
  readonly rows: readonly Record<string, unknown>[];
}
export interface WriterError {
  readonly code: string;
  readonly message: string;
  readonly label?: string;
  readonly rows?: number;
}
/** `overtaken`: another connection has written; nothing that was read before can be trusted. */
export type WriterResponse = { readonly id: number; readonly overtaken: boolean } & (
  | { readonly results: readonly WriterResult[] }
  | { readonly error: WriterError }
);

const file = givenFile(workerData);
const port = parentPort;
if (!port) throw new Error("the SQLite writer runs as a worker thread");

const database = new Database(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.pragma("busy_timeout = 5000");
database.pragma("foreign_keys = ON");
// A checkpoint writes every page that changed since the last one, once. At SQLite's own 1000 pages each full batch
// would pay for one.
database.pragma("wal_autocheckpoint = 10000");
// What a burst or a long read made of the log is given back with the next checkpoint.
database.pragma("journal_size_limit = 50331648");
database.pragma("cache_size = -16384");

const prepared = new Map<string, Database.Statement>();
function prepare(text: string): Database.Statement {
  let statement = prepared.get(text);
  if (!statement) {
    // Set-based texts are few; the cap only guards against an unforeseen source of endless variants.
    if (prepared.size > 2000) prepared.clear();
    statement = database.prepare(text);
    prepared.set(text, statement);
  }
  return statement;
}

class Overtaken extends Error {}

class Unexpected extends Error {
  readonly label: string;
  readonly rows: number;
  constructor(label: string, rows: number) {
    super(label);
    this.label = label;
    this.rows = rows;
  }
}

function run({ text, runs, values, label, expect }: WriterStatement): WriterResult {
  const statement = prepare(text);
  let count = 0;
  const returned: Record<string, unknown>[] = [];
  const width = values.length / runs;
  for (let start = 0; start < runs; start++) {
    const parameters = values.slice(start * width, (start + 1) * width);
    if (statement.reader) {
      const found = statement.all(parameters) as Record<string, unknown>[];
      count += found.length;
      for (const row of found) returned.push(row);
    } else {
      count += statement.run(parameters).changes;
    }
  }
  if (expect !== undefined && count !== expect) throw new Unexpected(label ?? text, count);
  return { count, rows: returned };
}

const begin = database.prepare("BEGIN IMMEDIATE");
const commit = database.prepare("COMMIT");
const rollback = database.prepare("ROLLBACK");
/** Changes when another connection commits, and only then. */
const version = database.prepare("PRAGMA data_version").pluck();
let seen = version.get();

/** A disk that fails may fail a rollback as well: then the next transaction finds this one open and tries again. */
function abandon(): void {
  try {
    if (database.inTransaction) rollback.run();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

function carryOut({ id, statements, onReadRows }: WriterRequest): WriterResponse {
  let overtaken = false;
  try {
    if (database.inTransaction) rollback.run();
    begin.run();
    const now = version.get();
    overtaken = now !== seen;
    seen = now;
    if (overtaken && onReadRows) throw new Overtaken();
    const results = statements.map(run);
    commit.run();
    return { id, overtaken, results };
  } catch (error) {
    abandon();
    return { id, overtaken, error: described(error) };
  }
}

function described(error: unknown): WriterError {
  if (error instanceof Overtaken) return { code: "OVERTAKEN", message: "another process wrote to the database" };
  if (error instanceof Unexpected)
    return { code: "UNEXPECTED", message: error.message, label: error.label, rows: error.rows };
  const code = error instanceof Database.SqliteError ? error.code : "ERROR";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

port.on("message", (message: WriterRequest | "close") => {
  if (message === "close") {
    database.close();
    port.close();
    return;
  }
  port.postMessage(carryOut(message));
});
