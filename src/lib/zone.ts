// Local time of an IANA zone: which calendar day an instant falls on, and at which instant a day begins there.
// The rules come from Intl, so they follow the tzdata that Node carries.

import { shownMs } from "./moments.ts";

const DAY = 86_400;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    try {
      format = new Intl.DateTimeFormat("en-US", {
        ...(timeZone === "" ? {} : { timeZone }),
        calendar: "gregory",
        numberingSystem: "latn",
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
    } catch (cause) {
      throw new RangeError(`timezone: "${timeZone}" is not an IANA zone name`, { cause });
    }
    formats.set(timeZone, format);
  }
  return format;
}

/** Whether `name` is a zone that this host knows; the empty name is the host's own zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The name of a zone; of the empty name, that of the host's own. A host whose zone has no name that others know counts
 * as UTC: it has no other offset either.
 */
export function zoneName(name: string): string {
  if (name !== "") return name;
  // Undefined or "Etc/Unknown" where TZ is nonsense.
  const own: string | undefined = formatOf("").resolvedOptions().timeZone;
  return own && isTimeZone(own) ? own : "UTC";
}

/**
 * Seconds that local time is ahead of UTC at the instant `at` (Unix seconds). Throws RangeError for an unknown zone.
 */
export function zoneOffset(at: number, timeZone: string): number {
  const field: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const part of formatOf(timeZone).formatToParts(shownMs(at))) field[part.type] = Number(part.value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - Math.floor(shownMs(at) / 1000);
}

/** The local calendar day that `at` falls on, as a day number since 1970-01-01. */
export function localDay(at: number, timeZone: string): number {
  return Math.floor((at + zoneOffset(at, timeZone)) / DAY);
}

/**
 * The first instant (Unix seconds) of a local day. Where the clock skips midnight that is the instant after the gap;
 * where midnight comes twice, the first.
 */
export function startOfDay(day: number, timeZone: string): number {
  const local = day * DAY;
  const before = zoneOffset(local - DAY, timeZone);
  const after = zoneOffset(local + DAY, timeZone);
  const candidates = [local - before, local - after].filter((at) => at + zoneOffset(at, timeZone) === local);
  if (candidates.length > 0) return Math.min(...candidates);
  // Midnight does not exist: between these two bounds lies the one change of offset; find it to the second.
  let early = local - after;
  let late = local - before;
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (middle + zoneOffset(middle, timeZone) < local) early = middle;
    else late = middle;
  }
  return late;
}
