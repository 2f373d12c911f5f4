// How many accounts are online: those with traffic within the last 90 seconds.
import { sql, type Reader } from "../db/index.ts";
import { ONLINE_SECONDS } from "./user-status.ts";

/** Up to so many moves of counters are looked up one by one; more than that, and all counters are gone through. */
const FEW = 50_000;
/** So many are looked up before anybody would notice. */
const MOMENT = 1000;
/** Seconds that the clock of an agent may be ahead. */
const CLOCKS = 60;

/**
 * Accounts that are online at `now` (Unix seconds). Whose counters moved lately is logged, so a panel with few of them
 * asks few rows, however many accounts it has.
 */
export async function onlineCount(reads: Reader, now: number): Promise<number> {
  const since = now - ONLINE_SECONDS;
  const moved = sql`m.moved_at > ${(since - CLOCKS) * 1_000_000}`;
  const [logged] = await reads.query<{ size: number }>(
    sql`select coalesce(sum(m.size), 0) as size from usage_moves m where ${moved}`,
  );
  const lately =
    (logged?.size ?? 0) > FEW
      ? sql`user_usage g where true`
      : reads.dialect === "sqlite"
        ? sql`(select distinct cast(v.value as integer) as id from usage_moves m, json_each('[' || m.users || ']') v where ${moved}) v
            cross join user_usage g on g.id = v.id where true`
        : sql`user_usage g where g.id = any(array(select unnest(('{' || m.users || '}')::bigint[]) from usage_moves m where ${moved}))`;
  const reach = (logged?.size ?? 0) > MOMENT ? { scans: true as const } : {};
  const [online] = await reads.query<{ total: number }>(
    sql`select count(*) as total from ${lately} and g.online_at >= ${since}`,
    reach,
  );
  return online?.total ?? 0;
}
