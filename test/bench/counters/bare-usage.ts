// The floor under the counting of usage: the same counters written by the driver alone, a transaction for each batch,
// one after the other. No cursors, no nodes, no marks.
import Sqlite from "better-sqlite3";
import pg from "pg";
import type { UsageRow } from "../../../src/protocol/usage-rows.ts";
import type { TestDatabase } from "../../database.ts";

/**
 * Counts batches, their users in id order, without adding a byte: what is written is a new `moved_at`. Resolves to
 * users per second.
 */
export async function bareUsage(db: TestDatabase, batches: readonly (readonly UsageRow[])[]): Promise<number> {
  const users = batches.reduce((sum, batch) => sum + batch.length, 0);
  const ids = batches.map((batch) => batch.map(([id]) => id).toSorted((a, b) => a - b));
  const began = performance.now();
  await (db.dialect === "sqlite" ? inSqlite(db.url.slice("sqlite:".length), ids) : inPostgres(db.url, ids));
  return (users * 1000) / (performance.now() - began);
}

const SET = "up = up + 0, down = down + 0, total_up = total_up + 0, total_down = total_down + 0";

async function inSqlite(file: string, batches: readonly (readonly number[])[]): Promise<void> {
  const database = new Sqlite(file);
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"]) database.pragma(pragma);
  const update = database.prepare(
    `update user_usage set ${SET}, online_at = max(online_at, ?), moved_at = ? where id = ?`,
  );
  for (const batch of batches) {
    const now = Date.now();
    database.exec("begin immediate");
    for (const id of batch) update.run(Math.floor(now / 1000), now * 1000, id);
    database.exec("commit");
  }
  database.close();
}

async function inPostgres(url: string, batches: readonly (readonly number[])[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, pipeline: true });
  await client.connect();
  for (const batch of batches) {
    const now = Date.now();
    await Promise.all([
      client.query("begin"),
      client.query("select 1 from user_usage where id = any($1) order by id for update", [batch]),
      client.query(
        `update user_usage set ${SET}, online_at = greatest(online_at, $2), moved_at = $3 where id = any($1)`,
        [batch, Math.floor(now / 1000), now * 1000],
      ),
      client.query("commit"),
    ]);
  }
  await client.end();
}
