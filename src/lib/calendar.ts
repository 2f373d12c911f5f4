// Reset cycles of users, plans, nodes and resellers: where a period began and when the next begins (rules users.reset,
// admins.reseller.1). Calendar boundaries are local midnights of the panel's zone; a rolling cycle counts exact seconds
// from its anchor.
import { type CalendarDate, dayToJalali, jalaliMonthLength, jalaliToDay } from "./jalali.ts";
import { localDay, startOfDay } from "./zone.ts";

export type CalendarName = "gregorian" | "jalali";

/** A cycle. A day past a month's end is clamped to its last day and returns to the anchor afterwards. */
export type Cycle =
  /** `day`: 0-6, Sunday first. */
  | { readonly kind: "weekly"; readonly day: number }
  /** `day`: 1-31. */
  | { readonly kind: "monthly"; readonly day: number; readonly calendar: CalendarName }
  /** `month`: 1-12, `day`: 1-31. */
  | { readonly kind: "yearly"; readonly month: number; readonly day: number; readonly calendar: CalendarName }
  /** `day`: 1-366 of the Gregorian year, 366 meaning the last. */
  | { readonly kind: "dayOfYear"; readonly day: number }
  /** Every `days` days since `anchor` (Unix seconds), at the anchor's time of day in UTC. */
  | { readonly kind: "rolling"; readonly days: number; readonly anchor: number };

const DAY = 86_400;

/** The wire fields of a user's or plan's reset cycle. */
export interface ResetFields {
  readonly resetDays: number;
  readonly resetPeriod: string;
  readonly resetStartDay: number;
  readonly resetStartMonth: number;
  readonly resetCalendar: string;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/**
 * The cycle that a user's or plan's fields describe; `anchor` (Unix seconds) is where a rolling cycle counts from.
 * Undefined when they describe none.
 */
export function cycleOfReset(fields: ResetFields, anchor: number): Cycle | undefined {
  const calendar = fields.resetCalendar === "jalali" ? "jalali" : "gregorian";
  if (fields.resetPeriod === "")
    return fields.resetDays > 0 ? { kind: "rolling", days: fields.resetDays, anchor } : undefined;
  return cycleOfPeriod(fields.resetPeriod, fields.resetStartDay, fields.resetStartMonth, calendar);
}

/**
 * The cycle of a node's limit (`limitPeriod`, `limitStartDay`, `limitStartMonth`) or any other named period; days
 * outside the range are clamped. Undefined for the empty period.
 */
export function cycleOfPeriod(
  period: string,
  startDay: number,
  startMonth: number,
  calendar: CalendarName = "gregorian",
): Cycle | undefined {
  if (period === "weekly") return { kind: "weekly", day: clamp(startDay, 0, 6) };
  if (period === "monthly") return { kind: "monthly", day: clamp(startDay, 1, 31), calendar };
  if (period === "yearly")
    return { kind: "yearly", month: clamp(startMonth, 1, 12), day: clamp(startDay, 1, 31), calendar };
  return undefined;
}

/**
 * The cycle of a reseller's allowance (ResalePeriod; `periodDay` of a yearly one is the day of the year). Undefined for
 * the empty period.
 */
export function cycleOfAllowance(period: string, periodDay: number): Cycle | undefined {
  return period === "yearly"
    ? { kind: "dayOfYear", day: clamp(periodDay, 1, 366) }
    : cycleOfPeriod(period, periodDay, 1);
}

/** The Gregorian date of a Unix day number. */
function dayToGregorian(day: number): CalendarDate {
  const date = new Date(day * DAY * 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function dateOfDay(day: number, calendar: CalendarName): CalendarDate {
  return calendar === "jalali" ? dayToJalali(day) : dayToGregorian(day);
}

/**
 * Unix day number of a date whose day is clamped to the month; `month` may lie outside 1-12 and carries into the year.
 */
function clampedDay(year: number, month: number, day: number, calendar: CalendarName): number {
  const y = year + Math.floor((month - 1) / 12);
  const m = ((((month - 1) % 12) + 12) % 12) + 1;
  if (calendar === "jalali") return jalaliToDay({ year: y, month: m, day: Math.min(day, jalaliMonthLength(y, m)) });
  const length = new Date(Date.UTC(y, m, 0)).getUTCDate();
  return Date.UTC(y, m - 1, Math.min(day, length)) / 1000 / DAY;
}

/**
 * The boundary day of the period numbered `index`, counted from the one whose week, month or year holds `day` (index
 * 0).
 */
function boundaryDay(cycle: Exclude<Cycle, { kind: "rolling" }>, day: number, index: number): number {
  if (cycle.kind === "weekly") {
    const weekday = (((day + 4) % 7) + 7) % 7;
    return day - weekday + cycle.day + 7 * index;
  }
  if (cycle.kind === "dayOfYear") {
    const year = dayToGregorian(day).year + index;
    const first = Date.UTC(year, 0, 1) / 1000 / DAY;
    const length = Date.UTC(year + 1, 0, 1) / 1000 / DAY - first;
    return first + Math.min(cycle.day, length) - 1;
  }
  const { year, month } = dateOfDay(day, cycle.calendar);
  if (cycle.kind === "monthly") return clampedDay(year, month + index, cycle.day, cycle.calendar);
  return clampedDay(year + index, cycle.month, cycle.day, cycle.calendar);
}

/** Boundaries around an instant, in order: from the week, month or year before it to the one after the next. */
function boundariesAround(cycle: Exclude<Cycle, { kind: "rolling" }>, at: number, timeZone: string): number[] {
  const day = localDay(at, timeZone);
  return [-1, 0, 1, 2].map((index) => startOfDay(boundaryDay(cycle, day, index), timeZone));
}

/**
 * The first boundary later than `after` (Unix seconds). `timeZone`: IANA name, empty = the host's; RangeError when
 * unknown.
 */
export function nextBoundary(cycle: Cycle, after: number, timeZone: string): number {
  if (cycle.kind === "rolling") {
    const length = cycle.days * DAY;
    return cycle.anchor + (Math.floor((after - cycle.anchor) / length) + 1) * length;
  }
  const next = boundariesAround(cycle, after, timeZone).find((boundary) => boundary > after);
  if (next === undefined) throw new RangeError(`no boundary after ${after} in ${timeZone || "the host's zone"}`);
  return next;
}

/** The last boundary not later than `at`: where the period that holds `at` began (Unix seconds). */
export function periodStart(cycle: Cycle, at: number, timeZone: string): number {
  if (cycle.kind === "rolling") {
    const length = cycle.days * DAY;
    return cycle.anchor + Math.floor((at - cycle.anchor) / length) * length;
  }
  const start = boundariesAround(cycle, at, timeZone).findLast((boundary) => boundary <= at);
  if (start === undefined) throw new RangeError(`no boundary before ${at} in ${timeZone || "the host's zone"}`);
  return start;
}
