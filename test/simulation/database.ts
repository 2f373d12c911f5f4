// The database of a simulation: a SQLite database in memory that all simulated processes share. What it is asked is
// carried out at one instant; that questions and answers take time, get lost or are refused is the business of the
// stores in front of it.
import Database from "better-sqlite3";
import { type Lock, lockKey } from "../../src/db/row-writes.ts";
import { ExpectationFailed, UniqueConflict } from "../../src/db/errors.ts";
import { createOrm, tablesOf, type AnyEntity } from "../../src/db/orm.ts";
import { statementsOf } from "../../src/db/sqlite/writes.ts";
import type { Sql, Statement, StatementResult, WriteSet } from "../../src/db/store.ts";
import type { Row, Tables } from "../../src/db/table.ts";

/** What a commit told the other processes. */
export interface LoggedNote {
  readonly id: number;
  readonly boot: string;
  readonly note: string;
}

export class SimulatedDatabase {
  readonly tables: Tables;
  /** The log of commits, as far as it was not pruned. */
  notes: LoggedNote[] = [];
  readonly #db: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();
  /** How often a row of this key was deleted: a row that came back is another row. */
  readonly #deaths = new Map<string, number>();
  #clock: () => number = () => 0;
  #passOver: (key: string) => boolean = () => false;
  #passingOver = false;
  #noteId = 0;

  private constructor(db: Database.Database, tables: Tables) {
    this.#db = db;
    this.tables = tables;
    db.function("unixepoch", { varargs: true, deterministic: false }, () => this.#clock() / 1000);
    db.function("is_passed_over", { deterministic: false }, (id) =>
      Number(this.#passingOver && this.#passOver(`effects:${String(id)}`)),
    );
    // What `for update skip locked` does on PostgreSQL, for statements that ask for it.
    db.exec(
      "create temp trigger pass_over before update on effects when is_passed_over(old.id) begin select raise(ignore); end",
    );
  }

  /** With the tables of `entities`, empty. One is enough for all simulations of a process, one after the other. */
  static async open(entities: readonly AnyEntity[]): Promise<SimulatedDatabase> {
    const orm = await createOrm({ dialect: "sqlite", target: ":memory:" }, entities);
    const db = new Database(":memory:");
    db.exec(await orm.schema.getCreateSchemaSQL());
    db.pragma("synchronous = off");
    db.pragma("journal_mode = memory");
    const tables = tablesOf(orm, entities, "sqlite");
    await orm.close(true);
    return new SimulatedDatabase(db, tables);
  }

  /** Empties it for the next simulation. `clock`: the database's own, Unix milliseconds. `isLocked`: see `execute`. */
  reset(clock: () => number, isLocked: (key: string) => boolean): void {
    for (const { name } of this.tables.all()) this.#db.exec(`delete from ${name}`);
    this.notes = [];
    this.#noteId = 0;
    this.#deaths.clear();
    this.#clock = clock;
    this.#passOver = isLocked;
  }

  exists({ table, id }: Pick<Lock, "table" | "id">): boolean {
    const { name, key } = this.tables.named(table);
    return this.#prepare(`select 1 from ${name} where ${key.name} = ?`).get(id) !== undefined;
  }

  /** Differs from what it was if the row was deleted meanwhile. */
  deathsOf(key: string): number {
    return this.#deaths.get(key) ?? 0;
  }

  row({ table: name, id }: Pick<Lock, "table" | "id">): Row | null {
    const table = this.tables.named(name);
    const raw = this.#prepare(`select * from ${name} where ${table.key.name} = ?`).get(id) as Row | undefined;
    return raw === undefined ? null : table.decode(raw);
  }

  /** One transaction. Throws `UniqueConflict`, and what is wrong with the statements; nothing has changed then. */
  write(writes: WriteSet, boot: string, note: string | undefined): void {
    this.#transaction(() => {
      for (const { text, runs, values } of statementsOf(writes)) {
        const statement = this.#prepare(text);
        const width = values.length / runs;
        for (let start = 0; start < runs; start++) statement.run(values.slice(start * width, (start + 1) * width));
      }
    });
    for (const write of writes.writes) {
      if (write.op === "delete")
        this.#deaths.set(lockKey({ table: write.table.name, id: write.id }), this.deathsOf(write.key) + 1);
    }
    if (note !== undefined) this.log(boot, note);
  }

  /** Leaves a note in the log. Returns its id. */
  log(boot: string, note: string): number {
    this.notes.push({ id: ++this.#noteId, boot, note });
    return this.#noteId;
  }

  /** Id of the newest note there ever was. */
  get lastNote(): number {
    return this.#noteId;
  }

  /**
   * Statements in one transaction. `skipLocked`: they leave rows alone that somebody has locked. Throws
   * `ExpectationFailed`, `UniqueConflict`.
   */
  execute(
    statements: readonly Statement[],
    boot: string,
    note: string | undefined,
    skipLocked: boolean,
  ): StatementResult[] {
    this.#passingOver = skipLocked;
    try {
      return this.#transaction(() => {
        const results = statements.map((statement) => this.#run(statement));
        if (note !== undefined) this.log(boot, note);
        return results;
      });
    } finally {
      this.#passingOver = false;
    }
  }

  read<R = Row>({ text, values }: Sql): R[] {
    return this.#prepare(text).all(...values) as R[];
  }

  #run({ text, values, label, rows: expected }: Statement): StatementResult {
    const statement = this.#prepare(text);
    const rows = statement.reader ? (statement.all(...values) as Row[]) : [];
    const count = statement.reader ? rows.length : statement.run(...values).changes;
    if (expected !== undefined && count !== expected) throw new ExpectationFailed(label, count);
    return { count, rows };
  }

  #transaction<T>(work: () => T): T {
    this.#prepare("begin").run();
    try {
      const result = work();
      this.#prepare("commit").run();
      return result;
    } catch (error) {
      if (this.#db.inTransaction) this.#prepare("rollback").run();
      throw this.#conflictOf(error);
    }
  }

  #conflictOf(error: unknown): unknown {
    if (!(error instanceof Database.SqliteError) || !/CONSTRAINT_(UNIQUE|PRIMARYKEY)/.test(error.code)) return error;
    const columns = [...error.message.matchAll(/(\w+)\.(\w+)/g)];
    const table = columns[0]?.[1] ?? "";
    const names = columns.map(
      ([, , name]) => this.tables.named(table).columns.find((column) => column.name === name)?.property ?? "",
    );
    return new UniqueConflict(table, names, { cause: error });
  }

  #prepare(text: string): Database.Statement {
    let statement = this.#prepared.get(text);
    if (!statement) this.#prepared.set(text, (statement = this.#db.prepare(text)));
    return statement;
  }
}
