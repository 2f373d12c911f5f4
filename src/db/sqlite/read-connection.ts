// A connection that reads a SQLite database and never writes it, set up the same on every thread; and what its failures
// mean to the panel.
import Database from "better-sqlite3";
import { StoreDamaged, StoreUnavailable } from "../errors.ts";
import type { Row, SqlValue } from "../table.ts";

/** Texts are few; the cap only guards against an unforeseen source of endless variants. */
const PREPARED = 2000;

/** Opens the file read-only. */
export function openReadConnection(file: string): Database.Database {
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  connection.pragma("busy_timeout = 5000");
  // SQLite's own knows ASCII only; searching without regard to case is for every script.
  connection.function("lower", { deterministic: true }, (text) =>
    typeof text === "string" ? text.toLowerCase() : text,
  );
  connection.pragma("cache_size = -32768");
  connection.pragma("mmap_size = 268435456");
  return connection;
}

/** Runs queries on a connection, each text prepared once. Throws what the driver throws. */
export class PreparedReads {
  readonly #connection: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(connection: Database.Database) {
    this.#connection = connection;
  }

  all(text: string, values: readonly SqlValue[]): Row[] {
    let statement = this.#prepared.get(text);
    if (!statement) {
      if (this.#prepared.size >= PREPARED) this.#prepared.clear();
      statement = this.#connection.prepare(text);
      this.#prepared.set(text, statement);
    }
    return statement.all(...values) as Row[];
  }
}

/** An error of the driver, as far as it matters what it was; also fit for another thread. */
export interface DriverFailure {
  readonly code: string;
  readonly message: string;
}

export function driverFailure(error: unknown): DriverFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof Database.SqliteError ? error.code : "ERROR", message };
}

/** The error that the caller of a failed read gets. */
export function readFailure({ code, message }: DriverFailure, cause: unknown): Error {
  if (/^SQLITE_(BUSY|IOERR|FULL|READONLY|CANTOPEN|NOMEM)/.test(code)) {
    return new StoreUnavailable(`the database cannot be read: ${message}`, { cause });
  }
  if (isDamage(code)) return damaged(message, cause);
  return cause instanceof Error ? cause : new Error(message);
}

export function isDamage(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

export function damaged(message: string, cause: unknown): StoreDamaged {
  const help =
    "stop the panel and restore a copy of the data directory, or save what can be read with sqlite3's .recover";
  return new StoreDamaged(`the database file is damaged: ${message}; ${help}`, { cause });
}
