// How accounts came and went by day, and how many will expire on the days to come.
import { sql, sweepRows, type Reader, type SweepStore } from "../../db/index.ts";
import type { TimeRange } from "../../http/index.ts";
import { localDay, startOfDay } from "../../lib/zone.ts";
import { dayText } from "./growth.ts";
import type { Expiries, Growth } from "./growth.schema.ts";

const DAY = 86_400;

/** The owner whose accounts are counted; undefined: all accounts. */
type Owner = number | undefined;

interface CountedDay {
  readonly day: string;
  readonly created: number;
  readonly deleted: number;
  readonly activated: number;
  readonly expired: number;
  readonly limited: number;
  readonly renewed: number;
  readonly moved: number;
  readonly restored: number;
}

/**
 * The days that a range touches, up to today; none before the first day that was ever counted. `total`: accounts at the
 * day's end, from those that there are now and what happened since.
 */
export async function growth(
  reads: Reader,
  { start, end, now, zone, owner }: TimeRange & { readonly now: number; readonly zone: string; readonly owner: Owner },
): Promise<Growth> {
  const today = localDay(now, zone);
  const from = localDay(start, zone);
  const to = Math.min(today, localDay(end - 1, zone));
  const whose = owner === undefined ? sql`` : sql`and owner = ${String(owner)}`;
  const [[counted], days] = await Promise.all([
    reads.query<{ first: string | null; total: number | null }>(sql`
      select (select min(day) from account_days) as first, ${totalOf(owner)} as total`),
    reads.query<CountedDay>(sql`
      select day, sum(created) as created, sum(deleted) as deleted, sum(activated) as activated, sum(expired) as expired,
        sum(limited) as limited, sum(renewed) as renewed, sum(moved) as moved, sum(restored) as restored
      from account_days where day >= ${dayText(from)} ${whose} group by day`),
  ]);
  const first = counted?.first ? Number(counted.first) : today + 1;
  const byDay = new Map(days.map((day) => [Number(day.day), day]));
  const found: Growth["days"] = [];
  let total = counted?.total ?? 0;
  // From the last day that is known back to the first one asked for. A day after today: the zone was another one.
  for (let day = Math.max(today, ...byDay.keys()); day >= Math.max(from, first); day--) {
    const {
      created = 0,
      deleted = 0,
      activated = 0,
      expired = 0,
      limited = 0,
      renewed = 0,
      moved = 0,
      restored = 0,
    } = byDay.get(day) ?? {};
    const at = startOfDay(day, zone);
    if (day <= to)
      found.push({ at, created, deleted, activated, expired, limited, renewed, restored, total: Math.max(0, total) });
    total -= created + restored - deleted + (owner === undefined ? 0 : moved);
  }
  return { days: found.toReversed() };
}

/** How many accounts there are now. */
function totalOf(owner: Owner) {
  return owner === undefined
    ? sql`(select coalesce(sum(total), 0) from state_counts where kind = 'user')`
    : sql`(select users from owner_counts where id = ${owner})`;
}

/**
 * Accounts that are on and reach their date on each of the coming days, today first: what has not started has no date
 * yet.
 */
export async function expiries(
  reads: Reader,
  {
    days,
    now,
    zone,
    owner,
  }: { readonly days: number; readonly now: number; readonly zone: string; readonly owner: Owner },
): Promise<Expiries> {
  const today = localDay(now, zone);
  const bounds = Array.from({ length: days + 1 }, (_, index) => startOfDay(today + index, zone));
  const json = JSON.stringify(bounds.slice(0, -1).map((at, index) => ({ at, until: bounds[index + 1] })));
  const table =
    reads.dialect === "sqlite"
      ? sql`(select value->>'at' as at, value->>'until' as until from json_each(${json})) d`
      : sql`json_to_recordset(${json}::json) d(at bigint, until bigint)`;
  const whose = owner === undefined ? sql`` : sql`and u.admin_id = ${owner}`;
  // SQLite, which does not know how many are on, would walk through all of them for each day; the plus keeps it to the
  // index over the dates, or to the one over owners.
  const state = sql.raw(reads.dialect === "sqlite" ? "+u.mstate" : "u.mstate");
  const rows = await reads.query<{ at: number; count: number }>(
    sql`select d.at, (select count(*) from users u where u.expiry >= d.at and u.expiry < d.until
      and ${state} = 'enabled.started' ${whose}) as count from ${table} order by d.at`,
    { scans: true },
  );
  return { days: rows.map(({ at, count }) => ({ at, count })) };
}

/** Forgets days that began more than `days` days ago; 0: none. */
export async function forgetGrowth(store: SweepStore, now: number, days: number): Promise<void> {
  if (days === 0) return;
  // A day more, for zones that are behind.
  const old = dayText(Math.max(0, Math.floor(now / DAY) - days - 1));
  const ids = sql`select id from account_days where day < ${old}`;
  await sweepRows(store, { name: "growth.forget", table: "account_days", ids });
}
