// What is kept for `deleted_retention_days`, and no longer: deleted accounts, and the hashes of links that ended.
import { sql, sweepRows, type SweepStore } from "../../db/index.ts";

const DAY_SECONDS = 86_400;
/** Tables, and the column that says since when a row is kept (Unix seconds, indexed). */
const KEPT = [
  ["deleted_users", "deleted_at"],
  ["ended_links", "ended_at"],
] as const;

/** Forgets what has been kept for `days` days. `now`: Unix seconds. */
export async function forgetKept(store: SweepStore, now: number, days: number): Promise<void> {
  for (const [table, since] of KEPT) {
    const column = sql.ref(since);
    const ids = sql`select id from ${sql.table(table)} where ${column} <= ${now - days * DAY_SECONDS} order by ${column}`;
    await sweepRows(store, { name: "users.forget", table, ids });
  }
}
