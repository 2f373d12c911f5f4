// Reads outside commands: rows by key, and free queries written with kysely's `sql` template, compiled for the dialect
// that runs.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
  type RawBuilder,
} from "kysely";
import { Lookups } from "./lookups.ts";
import type { Sql, Store } from "./store.ts";
import type { Entity, Key, Row, SqlValue, Tables } from "./table.ts";
import type { Statement } from "./store.ts";

export { sql } from "kysely";
export type Query<R = unknown> = RawBuilder<R>;

/**
 * `scans`: the query may walk through many rows. On SQLite it runs on a thread of its own then; that costs a little,
 * and keeps everybody else from waiting. `short`, `again`: see `Sql`.
 */
export type Reach = Pick<Sql, "scans" | "short" | "again">;

function compilerFor(dialect: Store["dialect"]): Kysely<unknown> {
  const sqlite = dialect === "sqlite";
  return new Kysely({
    dialect: {
      createAdapter: () => (sqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error("the compiler has no database to look into");
      },
      createQueryCompiler: () => (sqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  });
}

/** Booleans become 0 and 1 where the dialect has none. */
function bind(value: unknown, dialect: Store["dialect"]): SqlValue {
  if (typeof value === "boolean" && dialect === "sqlite") return value ? 1 : 0;
  return value as SqlValue;
}

export class Reader {
  readonly dialect: Store["dialect"];
  readonly tables: Tables;
  readonly #store: Store;
  readonly #compiler: Kysely<unknown>;
  readonly #lookups: Lookups;

  constructor(store: Store, tables: Tables) {
    this.#store = store;
    this.tables = tables;
    this.dialect = store.dialect;
    this.#compiler = compilerFor(store.dialect);
    this.#lookups = new Lookups((sql) => store.read(sql));
  }

  /** Rows as the driver gives them (column names; JSON as text on SQLite). Decode entity rows with `rows`. */
  async query<R = Row>(query: Query<R>, reach: Reach = {}): Promise<R[]> {
    const { sql, parameters } = query.compile(this.#compiler);
    return (await this.#store.read({
      text: sql,
      values: parameters.map((value) => bind(value, this.dialect)),
      ...reach,
    })) as R[];
  }

  /** Rows of an entity: the query must select its columns (`select u.* …`); others are ignored. */
  async rows<R extends object>(entity: Entity<R>, query: Query, reach: Reach = {}): Promise<R[]> {
    const table = this.tables.of(entity);
    const found = await this.query(query as Query<Row>, reach);
    return found.map((raw) => table.decode(raw) as R);
  }

  /** A row of an entity as `query` gives it; other columns are ignored. */
  decode<R extends object>(entity: Entity<R>, raw: Row): R {
    return this.tables.of(entity).decode(raw) as R;
  }

  /** The row of a key, or undefined. */
  async find<R extends object>(entity: Entity<R>, id: Key): Promise<R | undefined> {
    const table = this.tables.of(entity);
    if (this.dialect === "postgresql" && typeof id === "number") {
      const row = await this.#lookups.find(table, id);
      // Others may have been given the same one.
      return row && ({ ...row } as R);
    }
    const text = `select * from ${table.name} where ${table.key.name} = ${this.dialect === "sqlite" ? "?" : "$1"}`;
    const [raw] = await this.#store.read({ text, values: [id], again: true });
    return raw === undefined ? undefined : (table.decode(raw) as R);
  }

  /**
   * The age in milliseconds of the oldest running transaction that may still write. A read after this call sees
   * everything that started earlier than that.
   */
  async oldestWriteMs(): Promise<number> {
    return (await this.#store.oldestWriteMs?.()) ?? 0;
  }

  /** A statement for `Committer.execute` from a query. */
  statement(label: string, query: Query, rows?: number): Statement {
    const { sql, parameters } = query.compile(this.#compiler);
    const values = parameters.map((value) => bind(value, this.dialect));
    return { label, text: sql, values, ...(rows === undefined ? {} : { rows }) };
  }
}
