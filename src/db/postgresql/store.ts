// The PostgreSQL store: each session is one transaction of two round trips, its rows locked in (table, id) order. Any
// number of panel processes may run it on one database.
import pg from "pg";
import { ExpectationFailed, OutcomeUnknown, StoreUnavailable } from "../errors.ts";
import type { Session, Sql, StatementResult, Statements, Store } from "../store.ts";
import type { Row, Tables } from "../table.ts";
import { INSERT_NOTE, NOTHING, PostgresCommitLog } from "./commit-log.ts";
import { codeOf, failureOf, isConnectionLoss } from "./failures.ts";
import { distrust, isForgotten, met, queryPrepared } from "./prepared.ts";
import { PostgresSession } from "./session.ts";
import { connect, currentTransaction, readUncompiled, rollback, settleAll, type Transaction } from "./transaction.ts";

const { INT8, NUMERIC } = pg.types.builtins;
/** Byte counts and ids are safe integers, so 64-bit columns and sums are read as numbers. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: Parameters<typeof pg.types.getTypeParser>[0]) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid),
};

/**
 * How long a commit whose answer was lost is asked after before its caller hears that the database is gone; it is asked
 * after on, for what this process has in memory.
 */
const SETTLE_MS = 10_000;
const ASK_AGAIN_MS = 200;
const SESSIONS = 4;

/** How long somebody who fell silent is believed in, in milliseconds. */
interface Patience {
  /**
   * A server that does not answer within this is gone (its machine or the network is: nothing else would say so for a
   * quarter of an hour). Set-based changes may take ten times as long.
   */
  readonly answerMs: number;
  /**
   * If a process has locked rows and sends nothing more, the server ends its transaction. So other processes need not
   * wait for the connection's timeout.
   */
  readonly idleMs: number;
}
const PATIENCE: Patience = { answerMs: 60_000, idleMs: 15_000 };

export class PostgresStore implements Store {
  readonly dialect = "postgresql";
  readonly sessions = SESSIONS;
  readonly exclusiveStatements = false;
  readonly log: PostgresCommitLog;
  readonly #boot: string;
  readonly #tables: Tables;
  readonly #pool: pg.Pool;
  readonly #writers: pg.Pool;
  readonly #answerMs: number;
  readonly #begin: string;
  #turn = 0;
  #closed = false;

  /** `boot`: names this run of the process to the others. */
  constructor(url: string, tables: Tables, boot: string, { answerMs, idleMs } = PATIENCE) {
    this.#tables = tables;
    this.#boot = boot;
    this.#answerMs = answerMs;
    const common = {
      connectionString: url,
      types,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      query_timeout: answerMs,
    };
    // Not a parameter of the connection: a pooler has none of its own for it, and hands connections on.
    this.#begin = `begin; set local idle_in_transaction_session_timeout = ${idleMs}`;
    // The pools wait for what `onConnect` returns; their types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    const pooled = { ...common, onConnect: met } satisfies pg.PoolConfig;
    this.#pool = new pg.Pool({ ...pooled, max: 8 });
    this.#writers = new pg.Pool({ ...pooled, max: SESSIONS + 2, pipeline: true });
    // A connection that breaks is replaced by the pool at its next use, and its error reaches the query that runs.
    // Between two queries of a transaction nobody listens but this.
    for (const pool of [this.#pool, this.#writers]) {
      pool.on("error", () => {});
      pool.on("connect", (client) => client.on("error", () => {}));
    }
    this.log = new PostgresCommitLog(this.#pool, url, boot, (error) => failureOf(error, tables));
  }

  begin(): Session {
    const sign = (note?: string) => this.#sign(note);
    return new PostgresSession({
      pool: this.#writers,
      tables: this.#tables,
      boot: this.#boot,
      begin: this.#begin,
      sign,
      settle: (transaction) => this.#settle(transaction),
    });
  }

  async execute(statements: Statements, note?: string): Promise<StatementResult[]> {
    const client = await connect(this.#writers);
    try {
      const [, xid] = await settleAll([client.query(this.#begin), currentTransaction(client)]);
      const results: StatementResult[] = [];
      for (const { text, values, label, rows } of typeof statements === "function" ? statements() : statements) {
        const query: pg.QueryConfig & { query_timeout: number } = {
          text,
          values: [...values],
          query_timeout: 10 * this.#answerMs,
        };
        const result = await client.query<Row>(query);
        const count = result.rowCount ?? 0;
        if (rows !== undefined && rows !== count) throw new ExpectationFailed(label, count);
        results.push({ count, rows: result.rows });
      }
      const signed = this.#sign(note);
      await client.query(INSERT_NOTE, [this.#boot, signed]);
      await this.#commit(client, { xid, note: signed });
      client.release();
      return results;
    } catch (error) {
      if (isForgotten(error)) distrust(client);
      await rollback(client);
      throw failureOf(error, this.#tables);
    }
  }

  async read({ text, values, again, short }: Sql): Promise<Row[]> {
    try {
      if (short) return await readUncompiled(this.#pool, text, values);
      const result = await (again
        ? queryPrepared<Row>(this.#pool, text, values)
        : this.#pool.query<Row>({ text, values: [...values] }));
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

  /**
   * Only transactions that have a number write: it is given before any row is locked, so a moment that a transaction
   * takes from the clock after that is no older than its start.
   */
  async oldestWriteMs(): Promise<number> {
    const text = `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000 as ms
      from pg_stat_activity where datname = current_database() and backend_xid is not null`;
    const [row] = await this.read({ text, values: [] });
    return Math.max(0, Number(row?.["ms"] ?? 0));
  }

  async ping(): Promise<void> {
    await this.read({ text: "select 1", values: [] });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.log.close();
    await Promise.all([this.#pool.end(), this.#writers.end()]);
  }

  /**
   * A transaction's note, unlike that of any other of this process: by it a commit whose answer was lost is found
   * again.
   */
  #sign(note = NOTHING): string {
    return `{"turn":${++this.#turn},${note.slice(1)}`;
  }

  async #commit(client: pg.PoolClient, transaction: Transaction): Promise<void> {
    try {
      await client.query("commit");
    } catch (error) {
      if (!isConnectionLoss(error) || !(await this.#settle(transaction))) throw error;
    }
  }

  /** Whether a transaction whose COMMIT got no answer is on disk. Throws `OutcomeUnknown` when that takes long. */
  async #settle(transaction: Transaction): Promise<boolean> {
    const settled = this.#committed(transaction);
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), SETTLE_MS);
    const known = await Promise.race([settled, late]);
    clearTimeout(timer);
    if (known === "late") throw new OutcomeUnknown(settled);
    return known;
  }

  /**
   * Asks until the database says. A number alone proves nothing: a server that crashed gives those of transactions it
   * forgot to others, so the note must be there as well.
   */
  async #committed({ xid, note }: Transaction): Promise<boolean> {
    while (!this.#closed) {
      try {
        // A standby that has not taken over yet may know less than it will: it is not asked about what it does not
        // know.
        const status = await this.#pool.query<{ over: boolean }>(
          "select not pg_is_in_recovery() and pg_xact_status($1::xid8) is distinct from 'in progress' as over",
          [xid],
        );
        if (status.rows[0]?.over) {
          const found = await this.#pool.query("select 1 from commit_log where xid = $1 and boot = $2 and note = $3", [
            xid,
            this.#boot,
            note,
          ]);
          return found.rowCount === 1;
        }
      } catch (error) {
        // A standby that took over, or a server that crashed, has not come to this number yet: it never heard of the
        // transaction, or forgot it.
        if (codeOf(error) === "22023") return false;
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
    throw new StoreUnavailable("the panel is shutting down");
  }
}
