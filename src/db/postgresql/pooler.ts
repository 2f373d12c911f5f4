// Whether a connection leads to the server itself or to a pooler, which hands connections on after each transaction:
// there nothing may rest on a session (LISTEN, named prepared statements, session locks).
import type { ClientBase } from "pg";

/** The pooler made up the process number that it greeted with: the server's own is another. */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const greeted = "processID" in client ? client.processID : undefined;
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid !== greeted;
}
