// The SQLite store: rows are read on a read-only connection of this thread (long searches on threads of their own),
// written by the one writer thread.
import type { Worker } from "node:worker_threads";
import type Database from "better-sqlite3";
import type { Lock } from "../row-writes.ts";
import { ExpectationFailed, StoreContention, StoreUnavailable, UniqueConflict } from "../errors.ts";
import type { Session, Sql, Statement, StatementResult, Statements, Store } from "../store.ts";
import type { Row, SqlValue, Table, Tables } from "../table.ts";
import { damaged, driverFailure, isDamage, openReadConnection, PreparedReads, readFailure } from "./read-connection.ts";
import { RowCache } from "./row-cache.ts";
import { ScanThreads } from "./scan-threads.ts";
import { startThread } from "./threads.ts";
import type { WriterRequest, WriterResponse, WriterResult, WriterStatement } from "./writer.ts";
import { statementsOf } from "./writes.ts";

/** Size of the cache of rows that batches need not read again: some hundred thousand actors. */
const CACHE_BYTES = 64 * 2 ** 20;

/** So many rows of a table are read by one statement. */
const MANY = 8;

/** Reads rows of a table by their keys: by one key, and by a JSON list of them. */
interface Selects {
  readonly one: Database.Statement;
  readonly many: Database.Statement;
}

interface Waiting {
  resolve(results: readonly WriterResult[]): void;
  reject(error: Error): void;
}

export class SqliteStore implements Store {
  readonly dialect = "sqlite";
  /**
   * Three: one batch is decided on rows that no other holds, one is being written, one waits behind it so that the
   * writer never rests.
   */
  readonly sessions = 3;
  readonly exclusiveStatements = true;
  readonly #tables: Tables;
  readonly #reader: Database.Database;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #reads: PreparedReads;
  readonly #scans: ScanThreads;
  readonly #selects = new Map<Table, Selects>();
  readonly #cache = new RowCache(CACHE_BYTES);
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #exited: Promise<void>;
  /** In the order in which they began. */
  readonly #running = new Set<{ readonly began: number }>();
  #next = 1;
  #broken: Error | undefined;

  constructor(file: string, tables: Tables) {
    this.#tables = tables;
    this.#reader = openReadConnection(file);
    this.#reads = new PreparedReads(this.#reader);
    this.#scans = new ScanThreads(file);
    this.#begin = this.#reader.prepare("begin");
    this.#commit = this.#reader.prepare("commit");
    this.#worker = startThread("./writer.ts", file);
    this.#worker.on("message", (response: WriterResponse) => this.#answer(response));
    this.#worker.on("error", (error) => this.#break(error instanceof Error ? error : new Error(String(error))));
    this.#exited = new Promise((resolve) =>
      this.#worker.on("exit", () => {
        this.#break(new Error("the SQLite writer ended"));
        resolve();
      }),
    );
  }

  begin(): Session {
    const ended = this.#beginning();
    return {
      load: async (locks) => this.#load(locks),
      finish: async (writes) => {
        try {
          await this.#write(statementsOf(writes), { onReadRows: true });
        } catch (error) {
          this.#cache.forget(writes);
          throw error;
        } finally {
          this.#forgetTablesOf(writes.statements);
          ended();
        }
        this.#cache.wrote(writes);
        this.#forgetTablesOf(writes.statements);
      },
      abandon: async () => ended(),
    };
  }

  async execute(made: Statements): Promise<StatementResult[]> {
    const ended = this.#beginning();
    let statements: readonly Statement[] = [];
    try {
      statements = typeof made === "function" ? made() : made;
      const results = await this.#write(
        statements.map(({ text, values, label, rows }) => ({
          text,
          runs: 1,
          values,
          label,
          ...(rows === undefined ? {} : { expect: rows }),
        })),
      );
      return [...results];
    } finally {
      this.#forgetTablesOf(statements);
      ended();
    }
  }

  async read(sql: Sql): Promise<Row[]> {
    if (sql.scans === true) return this.#scans.read(sql);
    try {
      return this.#reads.all(sql.text, sql.values);
    } catch (error) {
      throw readFailure(driverFailure(error), error);
    }
  }

  async reserve(sequence: string, count: number): Promise<number> {
    const text =
      "insert into id_blocks (name, next) values (?, 1 + ?) on conflict (name) do update set next = next + ? returning next - ? as first";
    const [result] = await this.#write([{ text, runs: 1, values: [sequence, count, count, count] }]);
    const first = result?.rows[0]?.["first"];
    if (typeof first !== "number") throw new StoreUnavailable(`no ids of ${sequence} could be reserved`);
    return first;
  }

  async oldestWriteMs(): Promise<number> {
    const [oldest] = this.#running;
    return oldest ? performance.now() - oldest.began : 0;
  }

  async ping(): Promise<void> {
    if (this.#broken) throw new StoreUnavailable("the database writer ended", { cause: this.#broken });
    await this.read({ text: "select 1", values: [] });
  }

  async close(): Promise<void> {
    this.#worker.postMessage("close");
    await Promise.all([this.#exited, this.#scans.close()]);
    this.#reader.close();
  }

  /** Records that a transaction runs; returns a function that records its end. */
  #beginning(): () => void {
    const mine = { began: performance.now() };
    this.#running.add(mine);
    return () => this.#running.delete(mine);
  }

  /**
   * A statement changes no table that it does not name: there are no cascades, and triggers keep indexes alone, which
   * nobody locks.
   */
  #forgetTablesOf(statements: readonly Statement[]): void {
    for (const { name } of this.#tables.all()) {
      if (statements.some(({ text }) => text.includes(name))) this.#cache.forgetTable(name);
    }
  }

  #select(table: Table): Selects {
    let selects = this.#selects.get(table);
    if (!selects) {
      const prepare = (keys: string) =>
        this.#reader.prepare(`select ${table.list} from ${table.name} where ${table.key.name} ${keys}`).raw(true);
      selects = { one: prepare("= ?"), many: prepare("in (select value from json_each(?))") };
      this.#selects.set(table, selects);
    }
    return selects;
  }

  #load(locks: readonly Lock[]): Map<string, Row | null> {
    const rows = new Map<string, Row | null>();
    const unknown: Lock[] = [];
    for (const wanted of locks) {
      const known = this.#cache.get(wanted);
      rows.set(wanted.key, known ? this.#tables.named(wanted.table).decodeValues(known) : null);
      if (!known) unknown.push(wanted);
    }
    if (unknown.length > 0) this.#read(unknown, rows);
    return rows;
  }

  #read(locks: readonly Lock[], into: Map<string, Row | null>): void {
    try {
      // One snapshot for all: SQLite forgets its page cache whenever a read begins after somebody else's commit.
      this.#begin.run();
      try {
        for (const [name, wanted] of Map.groupBy(locks, ({ table }) => table)) {
          const table = this.#tables.named(name);
          for (const [each, values] of this.#valuesOf(table, wanted)) {
            into.set(each.key, table.decodeValues(values));
            if (each.passing !== true) this.#cache.read(each, values);
          }
        }
      } finally {
        this.#commit.run();
      }
    } catch (error) {
      throw readFailure(driverFailure(error), error);
    }
  }

  /**
   * Rows of a table that are there: one statement for many, since each costs more than a row. Keys that are texts are
   * asked for one by one: JSON would not give each of them as a parameter does.
   */
  #valuesOf(table: Table, wanted: readonly Lock[]): [Lock, SqlValue[]][] {
    const { one, many } = this.#select(table);
    if (wanted.length < MANY || wanted.some(({ id }) => typeof id !== "number"))
      return wanted.flatMap((each): [Lock, SqlValue[]][] => {
        const values = one.get(each.id) as SqlValue[] | undefined;
        return values ? [[each, values]] : [];
      });
    const byId = new Map(wanted.map((each) => [each.id, each]));
    const found = many.all(JSON.stringify([...byId.keys()])) as SqlValue[][];
    const key = table.columns.indexOf(table.key);
    return found.flatMap((values): [Lock, SqlValue[]][] => {
      const each = byId.get(Number(values[key]));
      return each ? [[each, values]] : [];
    });
  }

  /**
   * `onReadRows`: the change rests on rows that were read before it; it is refused as contention when another
   * connection wrote meanwhile.
   */
  #write(statements: readonly WriterStatement[], { onReadRows = false } = {}): Promise<readonly WriterResult[]> {
    if (this.#broken) return Promise.reject(new StoreUnavailable("the database writer ended", { cause: this.#broken }));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, statements, onReadRows } satisfies WriterRequest);
    });
  }

  #answer(response: WriterResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (response.overtaken) this.#cache.clear();
    if (!waiting) return;
    if ("results" in response) waiting.resolve(response.results);
    else waiting.reject(this.#failure(response.error));
  }

  #failure(error: { code: string; message: string; label?: string; rows?: number }): Error {
    if (error.code === "UNEXPECTED") return new ExpectationFailed(error.label ?? "", error.rows ?? 0);
    const cause = new Error(error.message);
    if (error.code === "SQLITE_CONSTRAINT_UNIQUE" || error.code === "SQLITE_CONSTRAINT_PRIMARYKEY") {
      const columns = [...error.message.matchAll(/(\w+)\.(\w+)/g)];
      const table = columns[0]?.[1] ?? "";
      return new UniqueConflict(
        table,
        columns.map((match) => this.#propertyOf(table, match[2] ?? "")),
        { cause },
      );
    }
    if (error.code === "OVERTAKEN") return new StoreContention("another connection changed the database", { cause });
    // Only somebody outside the panel can hold the lock: this is its one writer.
    if (error.code.startsWith("SQLITE_BUSY"))
      return new StoreUnavailable("another process keeps the database locked", { cause });
    if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(error.code)) {
      return new StoreUnavailable(`the database cannot be written: ${error.message}`, { cause });
    }
    if (isDamage(error.code)) return damaged(error.message, cause);
    return cause;
  }

  #propertyOf(table: string, column: string): string {
    return this.#tables.named(table).columns.find((candidate) => candidate.name === column)?.property ?? column;
  }

  #break(error: Error): void {
    this.#broken ??= error;
    for (const waiting of this.#waiting.values())
      waiting.reject(new StoreUnavailable("the database writer ended", { cause: error }));
    this.#waiting.clear();
  }
}
