// Forgets sums that are past their time, in small parts: periods come first in the ids of rows, so that what is oldest
// lies at the front of a table.
import { sql, sweepRows, type SweepStore } from "../db/index.ts";
import type { Table } from "./fold-statements.ts";
import { DAY, monthOf, quarterOf, type Periods } from "./periods.ts";
import { firstRow } from "./sum-rows.ts";

/** Days that hours are kept. */
export const HOURS_KEPT_DAYS = 35;
/** What counts late is of an hour that is still there, and is passed on before it goes. */
const MARGIN_DAYS = 1;

export interface ForgetDeps extends SweepStore {
  readonly periods: () => Periods;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly daysKept: () => number;
}

/** `going`: false ends it after the part that runs. A month is kept as long as its last day. */
export async function forget({ periods, now, daysKept, ...store }: ForgetDeps, going: () => boolean): Promise<void> {
  const seconds = Math.floor(now() / 1000);
  const date = periods().dateOf(quarterOf(seconds)) - daysKept();
  // Without end (`daysKept` is infinite) there is no such month either.
  const before: readonly (readonly [Table, number])[] = [
    ["traffic_hours", quarterOf(seconds - (HOURS_KEPT_DAYS + MARGIN_DAYS) * DAY)],
    ["traffic_days", date],
    ["traffic_months", monthOf(date)],
  ];
  for (const [table, period] of before) {
    if (!Number.isFinite(period)) continue;
    const name = sql.table(table);
    const ids = sql`select id from ${name} where id < ${firstRow(period)} and passed order by id`;
    await sweepRows(store, { name: "traffic.forget", table, ids, going });
  }
}
