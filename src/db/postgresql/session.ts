// One batch as a transaction of two round trips: its rows locked and read, then written and committed.
import type pg from "pg";
import { lockKey, type Lock } from "../row-writes.ts";
import type { Session, WriteSet } from "../store.ts";
import type { Row, Table, Tables } from "../table.ts";
import { INSERT_NOTE } from "./commit-log.ts";
import { failureOf, isConnectionLoss } from "./failures.ts";
import { distrust, isForgotten, prepared } from "./prepared.ts";
import { connect, currentTransaction, rollback, settleAll, type Transaction } from "./transaction.ts";
import { statementsOf } from "./writes.ts";

/**
 * A batch reads and writes rows by their keys alone, but the server takes every list of them for a hundred rows and
 * would read a table of some thousands as a whole: a plan that is kept must be the one by keys.
 */
const BY_KEY = "set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off";
/**
 * A row that does not exist cannot be locked, yet only one transaction may decide that it should: a transaction that
 * found no row waits for the others that found none, and reads again. (Rows of owned tables need none of this: their
 * owner's lock is held.)
 */
const LOCK_ABSENT =
  "select pg_advisory_xact_lock(key) from (select hashtextextended(name, 0) as key from unnest($1::text[]) name order by 1) keys";

/** What a session needs of its store. */
interface SessionDeps {
  readonly pool: pg.Pool;
  readonly tables: Tables;
  readonly boot: string;
  readonly begin: string;
  readonly sign: (note?: string) => string;
  /** Whether a transaction whose COMMIT got no answer is on disk. */
  readonly settle: (transaction: Transaction) => Promise<boolean>;
}

export class PostgresSession implements Session {
  readonly #deps: SessionDeps;
  #client: pg.PoolClient | undefined;
  #xid = "";

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  async load(locks: readonly Lock[]): Promise<Map<string, Row | null>> {
    const { pool, tables, begin } = this.#deps;
    const client = await connect(pool);
    this.#client = client;
    const rows = new Map<string, Row | null>();
    for (const wanted of locks) rows.set(lockKey(wanted), null);
    try {
      const started = [client.query(`${begin}; ${BY_KEY}`), currentTransaction(client)] as const;
      const [, xid] = await settleAll([...started, this.#select(client, locks, rows)]);
      this.#xid = xid;
      const absent = locks.filter(
        (wanted) =>
          wanted.mode === "write" && !this.#deps.tables.named(wanted.table).owned && rows.get(lockKey(wanted)) === null,
      );
      if (absent.length > 0)
        await settleAll([client.query(LOCK_ABSENT, [absent.map(lockKey)]), this.#select(client, absent, rows)]);
    } catch (error) {
      if (isForgotten(error)) distrust(client);
      throw failureOf(error, tables);
    }
    return rows;
  }

  /** Locks rows and reads them into `rows`. */
  async #select(client: pg.PoolClient, locks: readonly Lock[], rows: Map<string, Row | null>): Promise<void> {
    const selects = selectsOf(locks, this.#deps.tables).map(async ({ table, sql }) => {
      const result = await client.query<unknown[]>({ ...prepared(client, sql.text, sql.values), rowMode: "array" });
      for (const values of result.rows) {
        const row = table.decodeValues(values);
        rows.set(lockKey({ table: table.name, id: row[table.key.property] as string | number }), row);
      }
    });
    await settleAll(selects);
  }

  async finish(writes: WriteSet, note?: string): Promise<void> {
    const client = this.#client;
    if (!client) throw new Error("finish before load");
    const { tables, boot, sign, settle } = this.#deps;
    const signed = sign(note);
    let committing: Promise<pg.QueryResult> | undefined;
    try {
      const running = statementsOf(writes).map(({ text, values }) => client.query(prepared(client, text, values)));
      running.push(client.query(prepared(client, INSERT_NOTE, [boot, signed])));
      committing = client.query("commit");
      const [last] = await settleAll([committing, ...running]);
      // After an error inside the transaction COMMIT answers ROLLBACK; settleAll has thrown that error already.
      if (last.command === "ROLLBACK") throw new Error("the transaction was rolled back");
      this.#client = undefined;
      client.release();
    } catch (error) {
      this.#client = undefined;
      if (isForgotten(error)) distrust(client);
      if (isConnectionLoss(error)) {
        client.release(true);
        if (committing && (await settle({ xid: this.#xid, note: signed }))) return;
        throw failureOf(error, tables);
      }
      await rollback(client);
      throw failureOf(error, tables);
    }
  }

  async abandon(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client) await rollback(client);
  }
}

/**
 * Row locks by table in name order (owned tables last), by id within: the order that every transaction takes, so that
 * none waits in a circle. One statement per table keeps it, so a batch that writes a row of a table takes all its rows
 * of that table for writing.
 */
function selectsOf(locks: readonly Lock[], tables: Tables) {
  const groups = new Map<string, { table: Table; mode: Lock["mode"]; ids: Lock["id"][] }>();
  for (const { table, id, mode } of locks) {
    const group = groups.get(table);
    if (!group) groups.set(table, { table: tables.named(table), mode, ids: [id] });
    else {
      group.ids.push(id);
      if (mode === "write") group.mode = "write";
    }
  }
  const ordered = [...groups.values()].toSorted(
    (a, b) => Number(a.table.owned) - Number(b.table.owned) || (a.table.name < b.table.name ? -1 : 1),
  );
  return ordered.map(({ table, mode, ids }) => {
    const strength = mode === "write" ? "for update" : "for share";
    const text = `select ${table.list} from ${table.name} where ${table.key.name} = any($1) order by ${table.key.name} ${strength}`;
    return { table, sql: { text, values: [ids] } };
  });
}
