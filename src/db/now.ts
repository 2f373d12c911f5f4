// The database's own clock, for what several processes decide by time: their clocks may differ, this one is the same
// for all.
import { sql, type Query } from "./read.ts";
import type { Dialect } from "./table.ts";

/** Unix milliseconds at the moment when the expression is evaluated, as an integer. */
export function databaseNow(dialect: Dialect): Query<number> {
  return dialect === "postgresql"
    ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`;
}
