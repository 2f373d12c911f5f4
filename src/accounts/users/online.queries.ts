// How many accounts are online: those with traffic within the last 90 seconds.
import { sql, type Reader } from "../../db/index.ts";
import { FEW as FEW_IDS } from "../records/id-among.ts";
import { ONLINE_SECONDS } from "../records/user-status.ts";

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
  const size = await movedLately(reads, now);
  const lately = size > FEW ? sql`user_usage g where true` : lookedUp(reads, now);
  const [online] = await reads.query<{ total: number }>(
    sql`select count(*) as total from ${lately} and g.online_at >= ${now - ONLINE_SECONDS}`,
    size > MOMENT ? { scans: true } : {},
  );
  return online?.total ?? 0;
}

/** The accounts that are online at `now`; undefined where so many moved that looking at all counters is as quick. */
export async function onlineIds(reads: Reader, now: number): Promise<number[] | undefined> {
  const size = await movedLately(reads, now);
  if (size > FEW) return undefined;
  const rows = await reads.query<{ id: number | string }>(
    sql`select g.id from ${lookedUp(reads, now)} and g.online_at >= ${now - ONLINE_SECONDS} limit ${FEW_IDS + 1}`,
    size > MOMENT ? { scans: true } : {},
  );
  return rows.length > FEW_IDS ? undefined : rows.map(({ id }) => Number(id));
}

/** How many moves of counters may be those of accounts that are online. */
async function movedLately(reads: Reader, now: number): Promise<number> {
  const [logged] = await reads.query<{ size: number }>(
    sql`select coalesce(sum(m.size), 0) as size from usage_moves m where ${movedSince(now)}`,
  );
  return logged?.size ?? 0;
}

const movedSince = (now: number) => sql`m.moved_at > ${(now - ONLINE_SECONDS - CLOCKS) * 1_000_000}`;

/** The counters that moved lately, each once; more conditions follow. */
function lookedUp({ dialect }: Reader, now: number) {
  return dialect === "sqlite"
    ? sql`(select distinct cast(v.value as integer) as id from usage_moves m, json_each('[' || m.users || ']') v where ${movedSince(now)}) v
        cross join user_usage g on g.id = v.id where true`
    : sql`user_usage g where g.id = any(array(select unnest(('{' || m.users || '}')::bigint[]) from usage_moves m where ${movedSince(now)}))`;
}
