// What is kept for `deleted_retention_days`, and no longer: deleted accounts, and the hashes of links that ended.
import { sql, type Committer, type Reader } from "../../db/index.ts";

const DAY_SECONDS = 86_400;
/** Rows of one statement: short enough that nobody waits for it. */
const AT_ONCE = 1000;
/** Tables, and the column that says since when a row is kept (Unix seconds, indexed). */
const KEPT = [
  ["deleted_users", "deleted_at"],
  ["ended_links", "ended_at"],
] as const;

/** Forgets what has been kept for `days` days. `now`: Unix seconds. */
export async function forgetKept(commits: Committer, reads: Reader, now: number, days: number): Promise<void> {
  for (const [name, since] of KEPT) {
    const [table, column] = [sql.table(name), sql.ref(since)];
    const old = sql`${column} <= ${now - days * DAY_SECONDS}`;
    while ((await reads.query(sql`select 1 as x from ${table} where ${old} limit 1`)).length > 0) {
      const statement = reads.statement(
        `forget ${name}`,
        sql`delete from ${table} where id in (select id from ${table} where ${old} order by ${column} limit ${AT_ONCE})`,
      );
      await commits.execute({ name: "users.forget", statements: [statement] });
    }
  }
}
