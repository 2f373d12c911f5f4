// Moments at the ends of what a calendar can say. What is stored may be any integer: older versions, imports and
// restores wrote what they were given. Formatting goes through here, so that none of it throws.

/** The last second of the year 9999, in Unix seconds: times that are written are not later. */
export const LATEST = 253_402_300_799;
/** A century in seconds: spans that are written are not longer. */
export const LONGEST = 36_525 * 86_400;

/** Unix milliseconds of a stored moment, for `Date` and `Intl`; what is beyond the year 9999 is shown as its end. */
export function shownMs(seconds: number): number {
  return Math.min(Math.max(seconds, -LATEST), LATEST) * 1000;
}

/** `2026-12-31T20:30:00.000Z` */
export function isoTime(seconds: number): string {
  return new Date(shownMs(seconds)).toISOString();
}

const FINER = [
  ["milliseconds", 1e3],
  ["microseconds", 1e6],
  ["nanoseconds", 1e9],
] as const;

/** What a number that is too late for Unix seconds would be: as seconds a year, and a date in the unit that fits. */
export interface Readings {
  readonly year: number;
  readonly unit: string;
  /** `2026-12-31` */
  readonly date: string;
}

const MEAN_YEAR = 365.2425 * 86_400;

export function readingsOf(value: number): Readings {
  const [unit, size] = FINER.find(([, each]) => value / each <= LATEST) ?? FINER[2];
  // `Date` ends with the year 275760.
  const exact = new Date(value * 1000).getUTCFullYear();
  return {
    year: Number.isNaN(exact) ? Math.floor(1970 + value / MEAN_YEAR) : exact,
    unit,
    date: isoTime(Math.floor(value / size)).slice(0, 10),
  };
}
