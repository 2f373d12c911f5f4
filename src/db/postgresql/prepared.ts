// Prepared statements: a text that comes again on a connection is neither parsed nor planned again. Only on connections
// that lead to the server itself (see `pooler.ts`).
import pg, { type ClientBase, type QueryConfig, type QueryResult, type QueryResultRow } from "pg";
import { isPooled } from "./pooler.ts";

/** A server keeps each of them on each connection; past this, texts go unnamed. */
const MOST = 500;

const names = new Map<string, string>();
const direct = new WeakSet<ClientBase>();

/** To be called once for a new connection, before it is used. Rejects when it breaks. */
export async function met(client: ClientBase): Promise<void> {
  if (!(await isPooled(client))) direct.add(client);
}

/** A query that is prepared where that is safe. For texts that are few and come again and again. */
export function prepared(client: ClientBase, text: string, values: readonly unknown[] = []): QueryConfig {
  if (!direct.has(client)) return { text, values: [...values] };
  let name = names.get(text);
  if (name === undefined && names.size < MOST) names.set(text, (name = `s${names.size}`));
  return { text, values: [...values], ...(name !== undefined && { name }) };
}

/** A prepared query in a transaction of its own. */
export async function queryPrepared<R extends QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<R>> {
  const client = await pool.connect();
  try {
    const result = await client.query<R>(prepared(client, text, values));
    client.release();
    return result;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    if (!isForgotten(error)) throw error;
  }
  return pool.query<R>({ text, values: [...values] });
}

/** Whether what was prepared is not there any more, or its rows have other columns since: nothing was carried out. */
export function isForgotten(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "26000" || error.code === "0A000");
}

/** Nothing more is prepared on this connection, and nothing that was is used. */
export function distrust(client: ClientBase): void {
  direct.delete(client);
}
