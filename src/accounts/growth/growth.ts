// Counts what happens to accounts, by day and owner, in the commit in which it happens (rules users.growth).
//
// A day is one of the panel's zone. Who asks later in another zone gets the days as they were counted.
import type { Draft } from "../../db/index.ts";
import { localDay } from "../../lib/zone.ts";
import { AccountDayRows } from "../records/growth.entity.ts";

const NONE = { created: 0, deleted: 0, activated: 0, expired: 0, limited: 0, renewed: 0, moved: 0, restored: 0 };
export type GrowthCount = keyof typeof NONE;

/** A quarter of an hour lies in one day of every zone; asking the zone is slow. */
const QUARTER = 900;
let known = { quarter: -1, zone: "", day: "" };

/** The day of a moment, as rows have it. */
function dayAt(at: number, zone: string): string {
  const quarter = Math.floor(at / QUARTER);
  if (known.quarter !== quarter || known.zone !== zone) known = { quarter, zone, day: dayText(localDay(at, zone)) };
  return known.day;
}

/** A day number as rows have it. */
export const dayText = (day: number): string => String(day).padStart(6, "0");

/** Counts what happens with this change to an account of `owner`, or to `by` of them. */
export function countGrowth(draft: Draft, zone: string, owner: number, what: GrowthCount, by = 1): void {
  const day = dayAt(draft.time, zone);
  const id = `${day}:${owner}:${draft.session}`;
  draft.add(AccountDayRows, { id, day, owner: String(owner), ...NONE, [what]: by });
}
