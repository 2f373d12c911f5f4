// What every transaction on PostgreSQL needs: a connection, its number, and its end.
import type pg from "pg";
import { StoreUnavailable } from "../errors.ts";
import type { Row } from "../table.ts";
import { prepared } from "./prepared.ts";

/** What a transaction is known by after its connection is gone. */
export interface Transaction {
  readonly xid: string;
  readonly note: string;
}

/** Waits for all, then throws the first error: in a pipeline nothing may be left unread. */
export async function settleAll<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** The number of the transaction that is open; giving it one says that it will write. */
export async function currentTransaction(client: pg.PoolClient): Promise<string> {
  const result = await client.query<{ xid: string }>(prepared(client, "select pg_current_xact_id()::text as xid"));
  return result.rows[0]?.xid ?? "";
}

/** A connection of the pool. Rejects with `StoreUnavailable`. */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new StoreUnavailable("the database does not answer", { cause: error });
  }
}

/**
 * Rows of a short query: the server compiles nothing and uses its indexes. The settings are the transaction's, since
 * poolers hand connections on.
 */
export async function readUncompiled(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<Row[]> {
  const client = await pool.connect();
  try {
    await client.query("begin read only; set local jit = off; set local enable_seqscan = off");
    const { rows } = await client.query<Row>({ text, values: [...values] });
    await client.query("commit");
    client.release();
    return rows;
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

/** Ends a transaction and gives its connection back; never rejects. */
export async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch {
    // The connection is gone, and with it the transaction; the pool replaces it.
    client.release(true);
  }
}
