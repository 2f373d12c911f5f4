// Hours and days that still have something to pass on, and when that is due: the ids of `traffic_open`.
import { HOUR, startOfHour, type Periods } from "./periods.ts";

/** Ids of days begin here; those of hours are the hours' numbers. */
export const DAYS_FROM = 2 ** 40;

/** An hour is passed on so long after its end: most of what comes late has come by then. */
const HOUR_LATE = 300;
/** A day so long after its end: its last hours have been passed on by then. */
const DAY_LATE = 1800;

/** Unix seconds at which an hour is to be passed on. What comes after that (`now`) is passed on a little later. */
export function hourDue(hour: number, now: number): number {
  return Math.max(startOfHour(hour) + HOUR, now) + HOUR_LATE;
}

export function dayDue(date: number, periods: Periods, now: number): number {
  return Math.max(periods.startOf(date + 1), now) + DAY_LATE;
}
