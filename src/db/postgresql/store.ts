// The PostgreSQL store: each session is one transaction of two round trips, its rows locked in (table, id) order. Any number of panel processes may run it on one database.
import pg from "pg";
import { lockKey, type Lock } from "../draft.ts";
import { ExpectationFailed, StoreContention, StoreUnavailable, UniqueConflict } from "../errors.ts";
import type { Session, Sql, Statement, StatementResult, Store, WriteSet } from "../store.ts";
import type { Row, Table, Tables } from "../table.ts";
import { statementsOf } from "./writes.ts";

const { INT8, NUMERIC } = pg.types.builtins;
/** Byte counts and ids are safe integers, so 64-bit columns and sums are read as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: Parameters<typeof pg.types.getTypeParser>[0]) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid),
};

/** How long a commit whose answer was lost is asked after before the caller hears that the database is gone. */
const SETTLE_MS = 30_000;
const SESSIONS = 4;

/** How long somebody who fell silent is believed in, in milliseconds. */
interface Patience {
  /** A server that does not answer within this is gone (its machine or the network is: nothing else would say so for a quarter of an hour). Set-based changes may take ten times as long. */
  readonly answerMs: number;
  /** A process that locked rows and says nothing more is gone: the server ends its transaction, so that the others need not wait for its connection to be missed. */
  readonly idleMs: number;
}
const PATIENCE: Patience = { answerMs: 60_000, idleMs: 15_000 };

export class PostgresStore implements Store {
  readonly dialect = "postgresql";
  readonly sessions = SESSIONS;
  readonly exclusiveStatements = false;
  readonly #tables: Tables;
  readonly #pool: pg.Pool;
  readonly #writers: pg.Pool;
  readonly #answerMs: number;

  constructor(url: string, tables: Tables, { answerMs, idleMs } = PATIENCE) {
    this.#tables = tables;
    this.#answerMs = answerMs;
    const common = {
      connectionString: url,
      types,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      query_timeout: answerMs,
      idle_in_transaction_session_timeout: idleMs,
    };
    this.#pool = new pg.Pool({ ...common, max: 8 });
    this.#writers = new pg.Pool({ ...common, max: SESSIONS + 2, pipeline: true });
    // A connection that breaks is replaced by the pool at its next use, and its error reaches the query that runs. Between two queries of a transaction nobody listens but this.
    for (const pool of [this.#pool, this.#writers]) {
      pool.on("error", () => {});
      pool.on("connect", (client) => client.on("error", () => {}));
    }
  }

  begin(): Session {
    return new PostgresSession(this.#writers, this.#tables, (xid) => this.#committed(xid));
  }

  async execute(statements: readonly Statement[]): Promise<StatementResult[]> {
    const client = await connect(this.#writers);
    try {
      await client.query("begin");
      const xid = await currentTransaction(client);
      const results: StatementResult[] = [];
      for (const { text, values, label, rows } of statements) {
        const query: pg.QueryConfig & { query_timeout: number } = { text, values: [...values], query_timeout: 10 * this.#answerMs };
        const result = await client.query<Row>(query);
        const count = result.rowCount ?? 0;
        if (rows !== undefined && rows !== count) throw new ExpectationFailed(label, count);
        results.push({ count, rows: result.rows });
      }
      await this.#commit(client, xid);
      client.release();
      return results;
    } catch (error) {
      await rollback(client);
      throw failureOf(error, this.#tables);
    }
  }

  async read({ text, values }: Sql): Promise<Row[]> {
    try {
      const result = await this.#pool.query<Row>({ text, values: [...values] });
      return result.rows;
    } catch (error) {
      throw failureOf(error, this.#tables);
    }
  }

  async reserve(sequence: string, count: number): Promise<number> {
    const text =
      "insert into id_blocks (name, next) values ($1, 1 + $2::bigint) on conflict (name) do update set next = id_blocks.next + $2::bigint returning next - $2::bigint as first";
    const [row] = await this.read({ text, values: [sequence, count] });
    const first = row?.["first"];
    if (typeof first !== "number") throw new StoreUnavailable(`no ids of ${sequence} could be reserved`);
    return first;
  }

  async ping(): Promise<void> {
    await this.read({ text: "select 1", values: [] });
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#writers.end()]);
  }

  async #commit(client: pg.PoolClient, xid: string): Promise<void> {
    try {
      await client.query("commit");
    } catch (error) {
      if (!isConnectionLoss(error) || !(await this.#committed(xid))) throw error;
    }
  }

  /** Whether a transaction whose COMMIT got no answer is on disk. Asks until the database says so or the time is up. */
  async #committed(xid: string): Promise<boolean> {
    const until = Date.now() + SETTLE_MS;
    let cause: unknown;
    for (;;) {
      try {
        const result = await this.#pool.query<{ status: string | null }>("select pg_xact_status($1::xid8) as status", [xid]);
        const status = result.rows[0]?.status;
        if (status !== "in progress") return status === "committed";
      } catch (error) {
        cause = error;
      }
      if (Date.now() > until)
        throw new StoreUnavailable("the database was lost while it committed; whether the change holds is not known", { cause });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

class PostgresSession implements Session {
  readonly #pool: pg.Pool;
  readonly #tables: Tables;
  readonly #committed: (xid: string) => Promise<boolean>;
  #client: pg.PoolClient | undefined;
  #xid = "";

  constructor(pool: pg.Pool, tables: Tables, committed: (xid: string) => Promise<boolean>) {
    this.#pool = pool;
    this.#tables = tables;
    this.#committed = committed;
  }

  async load(locks: readonly Lock[]): Promise<Map<string, Row | null>> {
    const client = await connect(this.#pool);
    this.#client = client;
    const rows = new Map<string, Row | null>();
    for (const wanted of locks) rows.set(lockKey(wanted), null);
    try {
      const started = [client.query("begin"), currentTransaction(client)] as const;
      const selects = selectsOf(locks, this.#tables).map(async ({ table, sql }) => {
        const result = await client.query<unknown[]>({ ...sql, rowMode: "array" });
        for (const values of result.rows) {
          const row = table.decodeValues(values);
          rows.set(lockKey({ table: table.name, id: row[table.key.property] as string | number }), row);
        }
      });
      const [, xid] = await settleAll([...started, ...selects] as const);
      this.#xid = typeof xid === "string" ? xid : "";
    } catch (error) {
      throw failureOf(error, this.#tables);
    }
    return rows;
  }

  async finish(writes: WriteSet): Promise<void> {
    const client = this.#client;
    if (!client) throw new Error("finish before load");
    let committing: Promise<unknown> | undefined;
    try {
      const running = statementsOf(writes).map(({ text, values }) => client.query({ text, values: [...values] }));
      committing = client.query("commit");
      const results = await settleAll([...running, committing]);
      const last = results.at(-1);
      // After an error inside the transaction COMMIT answers ROLLBACK; settleAll has thrown that error already.
      if (typeof last === "object" && last !== null && "command" in last && last.command === "ROLLBACK")
        throw new Error("the transaction was rolled back");
      this.#client = undefined;
      client.release();
    } catch (error) {
      this.#client = undefined;
      if (isConnectionLoss(error)) {
        client.release(true);
        if (committing && (await this.#committed(this.#xid))) return;
        throw failureOf(error, this.#tables);
      }
      await rollback(client);
      throw failureOf(error, this.#tables);
    }
  }

  async abandon(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client) await rollback(client);
  }
}

/**
 * Row locks by table in name order (owned tables last), by id within: the order that every transaction takes, so that none waits in a circle. One statement per table keeps
 * it, so a batch that writes a row of a table takes all its rows of that table for writing.
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

/** Waits for all, then throws the first error: in a pipeline nothing may be left unread. */
async function settleAll(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(promises);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return results.map((result) => (result.status === "fulfilled" ? result.value : undefined));
}

async function currentTransaction(client: pg.PoolClient): Promise<string> {
  const result = await client.query<{ xid: string }>("select pg_current_xact_id()::text as xid");
  return result.rows[0]?.xid ?? "";
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new StoreUnavailable("the database does not answer", { cause: error });
  }
}

async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch {
    // The connection is gone, and with it the transaction; the pool replaces it.
    client.release(true);
  }
}

function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The server or the connection ended, or nobody answers: an SQLSTATE that says so, a socket error (ECONNRESET …), or the driver's own words, which carry no code. */
function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return /^(08|57P|53|25P03)/.test(code) || /^E[A-Z]+$/.test(code);
  return error instanceof Error && /connection|timeout exceeded|read timeout/i.test(error.message);
}

function failureOf(error: unknown, tables: Tables): Error {
  if (error instanceof ExpectationFailed || error instanceof StoreUnavailable) return error;
  const code = codeOf(error);
  if (code === "23505") return conflictOf(error, tables);
  if (code === "40P01" || code === "40001" || code === "55P03") return new StoreContention("the database gave way", { cause: error });
  if (isConnectionLoss(error) || code === "25006") return new StoreUnavailable("the database does not answer", { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

function conflictOf(error: unknown, tables: Tables): UniqueConflict {
  const { table = "", detail = "" } = error as { table?: string; detail?: string };
  const names = /^Key \(([^)]*)\)=/.exec(detail)?.[1]?.split(", ") ?? [];
  const known = table === "" ? undefined : tables.named(table);
  const properties = names.map((name) => known?.columns.find((column) => column.name === name)?.property ?? name);
  return new UniqueConflict(table, properties, { cause: error });
}
