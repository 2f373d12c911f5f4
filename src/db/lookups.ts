// Batches look-ups by key on a database server: all look-ups of one tick become one query per table. A statement costs
// the server more than the rows that it finds.
import type { Sql } from "./store.ts";
import type { Row, Table } from "./table.ts";

interface Waiting {
  readonly found: Promise<Row | undefined>;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Keys in one query. */
const KEYS = 1000;

export class Lookups {
  readonly #read: (sql: Sql) => Promise<readonly Row[]>;
  #asked = new Map<Table, Map<number, Waiting>>();

  constructor(read: (sql: Sql) => Promise<readonly Row[]>) {
    this.#read = read;
  }

  /** The row of a key as it is at the end of this tick or later; undefined where there is none. */
  find(table: Table, id: number): Promise<Row | undefined> {
    if (this.#asked.size === 0) setImmediate(() => this.#answer());
    let keys = this.#asked.get(table);
    if (!keys) this.#asked.set(table, (keys = new Map()));
    let waiting = keys.get(id);
    if (!waiting) {
      const { promise: found, resolve, reject } = Promise.withResolvers<Row | undefined>();
      keys.set(id, (waiting = { found, resolve, reject }));
    }
    return waiting.found;
  }

  #answer(): void {
    const asked = this.#asked;
    this.#asked = new Map();
    for (const [table, keys] of asked) {
      const all = [...keys];
      for (let from = 0; from < all.length; from += KEYS) void this.#load(table, new Map(all.slice(from, from + KEYS)));
    }
  }

  async #load(table: Table, keys: ReadonlyMap<number, Waiting>): Promise<void> {
    // An array of numbers as PostgreSQL writes it: its type follows from the column's.
    const text = `select * from ${table.name} where ${table.key.name} = any($1)`;
    try {
      const rows = new Map<unknown, Row>();
      for (const raw of await this.#read({ text, values: [`{${[...keys.keys()].join(",")}}`], again: true }))
        rows.set(raw[table.key.name], raw);
      for (const [id, { resolve }] of keys) {
        const raw = rows.get(id);
        resolve(raw && table.decode(raw));
      }
    } catch (error) {
      for (const { reject } of keys.values()) reject(error);
    }
  }
}
