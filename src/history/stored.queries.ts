// Reads what is stored of a window: sums of hours, days and months, what is not passed on to them yet, and what is not
// sorted at all. One statement, so one state of the database: what moves meanwhile is seen in one of them.
import { sql, type Query, type Reader } from "../db/index.ts";
import { DAYS_FROM } from "./open-periods.ts";
import { firstDateOf, monthOf, startOfHour, type Periods } from "./periods.ts";
import { firstRow, KINDS, PERIOD, periodOf, rowId, LAST_BUCKET, type Kind, type KindName } from "./sum-rows.ts";
import type { Source } from "./adding-up.ts";

/** Rows of one kind: those of some buckets, or a range of them. */
export interface Buckets {
  readonly kind: KindName;
  readonly buckets: readonly number[] | { readonly from: number; readonly to: number };
}

export const EVERY = { from: 0, to: LAST_BUCKET } as const;

/** Which stored periods make up a window. Hours stand for themselves; days and months include what they still get. */
export interface Cover {
  /** Hours that begin from `start` up to and without `end` (Unix seconds). */
  readonly start: number;
  readonly end: number;
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
}

export interface Stored {
  readonly sources: Source[];
  readonly chunks: Uint8Array[];
}

interface Found {
  readonly level: "hour" | "day" | "month" | "openHour" | "openDay" | "chunk";
  readonly id: number;
  readonly data: Uint8Array;
}

export async function storedSums(
  reads: Reader,
  cover: Cover,
  { kind: name, buckets }: Buckets,
  step: "hour" | "day",
  periods: Periods,
): Promise<Stored> {
  const kind: Kind = KINDS[name];
  const firsts = "from" in buckets ? [buckets.from] : buckets;
  const width = "from" in buckets ? buckets.to - buckets.from : 0;
  const rows = (list: readonly number[]) =>
    list.flatMap((period) => firsts.map((bucket) => rowId(kind, period, bucket)));
  const parts: Query[] = [];
  const stored = (level: Found["level"], table: string, list: readonly number[]) => {
    if (list.length > 0) parts.push(ranges(reads, level, table, rows(list), width));
  };
  stored("hour", "traffic_hours", cover.hours);
  stored("day", "traffic_days", cover.days);
  stored("month", "traffic_months", cover.months);
  const offsets = rows([0]);
  if (cover.days.length + cover.months.length > 0) parts.push(unpassed(reads, "openHour", offsets, width));
  if (cover.months.length > 0) parts.push(unpassed(reads, "openDay", offsets, width));
  parts.push(sql`select 'chunk' as level, id, data from traffic_chunks`);
  const found = await reads.query<Found>(sql.join(parts, sql` union all `), { scans: true, short: true });
  const days = new Set(cover.days);
  const months = new Set(cover.months);
  const isMine = (date: number) => days.has(date) || months.has(monthOf(date));
  const sources: Source[] = [];
  const chunks: Uint8Array[] = [];
  const hourly = (hour: number) => (step === "hour" ? startOfHour(hour) : periods.startOf(periods.dateOf(hour)));
  for (const { level, id, data } of found) {
    const period = periodOf(id);
    if (level === "chunk") chunks.push(data);
    else if (level === "hour") sources.push({ at: hourly(period), data });
    else if (level === "day") sources.push({ at: periods.startOf(period), data });
    else if (level === "month") sources.push({ at: periods.startOf(firstDateOf(period)), data });
    else if (level === "openDay") {
      if (months.has(monthOf(period))) sources.push({ at: periods.startOf(period), data });
    } else if (isMine(periods.dateOf(period))) sources.push({ at: hourly(period), data });
  }
  return { sources, chunks };
}

/** Rows of a table from each of these ids on, so many further. */
function ranges(reads: Reader, level: string, table: string, ids: readonly number[], width: number): Query {
  const name = sql.table(table);
  const json = JSON.stringify(ids);
  return reads.dialect === "sqlite"
    ? sql`select ${sql.lit(level)} as level, t.id, t.data from json_each(${json}) v cross join ${name} t
        where t.id >= v.value and t.id <= v.value + ${width}`
    : sql`select ${sql.lit(level)} as level, t.id, t.data
        from (select value::bigint as low from json_array_elements_text(${json}::json)) v
        cross join lateral (select id, data from ${name} where id >= v.low and id <= v.low + ${width}::bigint offset 0) t`;
}

/** Rows of open hours or days that are not passed on. */
function unpassed(reads: Reader, level: "openHour" | "openDay", offsets: readonly number[], width: number): Query {
  const hours = level === "openHour";
  const name = sql.table(hours ? "traffic_hours" : "traffic_days");
  const json = JSON.stringify(offsets);
  const mine = hours ? sql`o.id < ${sql.lit(DAYS_FROM)}` : sql`o.id >= ${sql.lit(DAYS_FROM)}`;
  const first = sql`(o.id - ${sql.lit(hours ? 0 : DAYS_FROM)}) * ${sql.lit(PERIOD)}`;
  return reads.dialect === "sqlite"
    ? sql`select ${sql.lit(level)} as level, t.id, t.data from traffic_open o cross join json_each(${json}) v cross join ${name} t
        where ${mine} and t.id >= ${first} + v.value and t.id <= ${first} + v.value + ${width} and not t.passed`
    : sql`select ${sql.lit(level)} as level, t.id, t.data from traffic_open o
        cross join (select value::bigint as low from json_array_elements_text(${json}::json)) v
        cross join lateral (select id, data from ${name}
          where id >= ${first} + v.low and id <= ${first} + v.low + ${width}::bigint and not passed offset 0) t
        where ${mine}`;
}

/** The steps of a window (Unix seconds) of which something is known. */
export async function knownSteps(
  reads: Reader,
  { hours, days }: Cover,
  step: "hour" | "day",
  periods: Periods,
): Promise<number[]> {
  if (step === "hour") {
    const found = await idsOf(reads, "traffic_hours", hours.map(firstRow));
    return found.map((id) => startOfHour(periodOf(id)));
  }
  const found = await idsOf(reads, "traffic_days", days.map(firstRow));
  const open = await reads.query<{ id: number }>(sql`select id from traffic_open where id < ${DAYS_FROM}`);
  const mine = new Set(days);
  const dates = [...found.map(periodOf), ...open.map(({ id }) => periods.dateOf(id)).filter((date) => mine.has(date))];
  return [...new Set(dates)].map((date) => periods.startOf(date));
}

async function idsOf(reads: Reader, table: string, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await reads.query<{ id: number }>(
    sql`select id from ${sql.table(table)} where id in (${listOf(reads, ids)})`,
    { scans: true },
  );
  return rows.map(({ id }) => id);
}

/** One value, however many numbers. */
export function listOf(reads: Reader, numbers: readonly number[]): Query {
  const json = JSON.stringify(numbers);
  return reads.dialect === "sqlite"
    ? sql`select value from json_each(${json})`
    : sql`select value::bigint from json_array_elements_text(${json}::json)`;
}

/** Account and owner in turns, of those accounts that resellers have. */
export async function ownersOf(reads: Reader, accounts: readonly number[]): Promise<number[]> {
  if (accounts.length === 0) return [];
  const [any] = await reads.query(sql`select 1 as one from owner_counts where users > 0 limit 1`);
  if (!any) return [];
  const rows = await reads.query<{ id: number; owner: number }>(
    sql`select id, admin_id as owner from users where admin_id <> 0 and id in (${listOf(reads, accounts)})`,
    { scans: true },
  );
  return rows.flatMap(({ id, owner }) => [id, owner]);
}
