// Dates in either calendar, and in the panel's or the browser's zone.

import { shownMs } from "../../lib/moments.ts";

export type Calendar = "gregory" | "persian";

export interface DateSettings {
  readonly locale: string;
  readonly calendar: Calendar;
  /** IANA name; undefined: the browser's. */
  readonly timeZone: string | undefined;
}

export type DateStyle = "date" | "dateTime" | "precise" | "time" | "minute" | "dayMonth";

const STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  date: { year: "numeric", month: "short", day: "numeric" },
  dateTime: { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  precise: {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  },
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  minute: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  dayMonth: { month: "short", day: "numeric" },
};

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf({ locale, calendar, timeZone }: DateSettings, style: DateStyle): Intl.DateTimeFormat {
  const key = `${locale} ${calendar} ${timeZone} ${style}`;
  let format = formats.get(key);
  if (!format) {
    const options = { ...STYLES[style], calendar, ...(timeZone === undefined || timeZone === "" ? {} : { timeZone }) };
    formats.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  }
  return format;
}

/**
 * Formats a moment, given in Unix seconds. The year shows which calendar it belongs to. Some languages add an era to
 * Jalali dates: it is left out.
 */
export function formatDate(seconds: number, settings: DateSettings, style: DateStyle = "dateTime"): string {
  const format = formatOf(settings, style);
  if (settings.calendar === "gregory") return format.format(shownMs(seconds));
  const parts = format.formatToParts(shownMs(seconds));
  return parts
    .filter(({ type }, index) => type !== "era" && !(type === "literal" && parts[index + 1]?.type === "era"))
    .map(({ value }) => value)
    .join("");
}

const DAY_PARTS = { year: "numeric", month: "numeric", day: "numeric" } as const satisfies Intl.DateTimeFormatOptions;

/** A format for reading parts out of, made once. */
function kept(name: string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    const zoned = timeZone === undefined || timeZone === "" ? options : { ...options, timeZone };
    formats.set(key, (format = new Intl.DateTimeFormat("en-US", zoned)));
  }
  return format;
}

/** Year, month and day of a moment, in a calendar and zone. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function civilDate(seconds: number, calendar: Calendar, timeZone: string | undefined): CivilDate {
  const parts = kept(`civil ${calendar}`, timeZone, { ...DAY_PARTS, calendar, numberingSystem: "latn" }).formatToParts(
    shownMs(seconds),
  );
  const part = (type: string) => Number.parseInt(parts.find((each) => each.type === type)?.value ?? "", 10);
  return { year: part("year"), month: part("month"), day: part("day") };
}

/** Minutes that a zone is ahead of UTC at a moment. */
function zoneOffset(ms: number, timeZone: string | undefined): number {
  const parts = kept("clock", timeZone, {
    ...DAY_PARTS,
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
    calendar: "gregory",
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / 60_000);
}

/** Unix seconds of a wall clock's moment (Gregorian date) in a zone. */
export function momentOf(date: CivilDate, hour: number, minute: number, timeZone: string | undefined): number {
  const wall = Date.UTC(date.year, date.month - 1, date.day, hour, minute);
  const first = wall - zoneOffset(wall, timeZone) * 60_000;
  // Near a change of the clocks the first guess used the offset of the other side.
  return Math.floor((wall - zoneOffset(first, timeZone) * 60_000) / 1000);
}

/** The Gregorian date of a Jalali one; undefined when there is none such. */
export function fromJalali({ year, month, day }: CivilDate): CivilDate | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  // Nowruz is on 19 to 22 March; from there the months have 31 (six) and 30 days.
  const days = (month <= 7 ? (month - 1) * 31 : 186 + (month - 7) * 30) + day - 1;
  for (const march of [19, 20, 21, 22]) {
    const at = Date.UTC(year + 621, 2, march + days, 12) / 1000;
    const found = civilDate(at, "persian", "UTC");
    if (found.year === year && found.month === month && found.day === day) return civilDate(at, "gregory", "UTC");
  }
  return undefined;
}

const TYPED = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;

/**
 * What a person typed (`2026-11-22`, `1405/09/01 14:30`), in the calendar that its year belongs to. Without a time: the
 * end of that day.
 */
export function parseDate(typed: string, timeZone: string | undefined): number | undefined {
  const match = TYPED.exec(typed.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 23, minute = 59] = match
    .slice(1)
    .flatMap((part) => (part === undefined ? [] : [Number(part)]));
  const gregorian = year < 1700 ? fromJalali({ year, month, day }) : exactDate({ year, month, day });
  return gregorian && hour < 24 && minute < 60 ? momentOf(gregorian, hour, minute, timeZone) : undefined;
}

function exactDate(date: CivilDate): CivilDate | undefined {
  const at = new Date(Date.UTC(date.year, date.month - 1, date.day));
  return at.getUTCMonth() === date.month - 1 && at.getUTCDate() === date.day ? date : undefined;
}

/** The form that `parseDate` reads, in a calendar: `1405-09-01 14:30`. */
export function typedDate(seconds: number, calendar: Calendar, timeZone: string | undefined): string {
  const { year, month, day } = civilDate(seconds, calendar, timeZone);
  const time = formatDate(seconds, { locale: "en-GB", calendar: "gregory", timeZone }, "time").slice(0, 5);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${time}`;
}
