// The Persian (solar Hijri) calendar as day numbers. Arithmetic 33-year leap rule, which agrees with the
// astronomical calendar and with ICU for 1300-1500; outside of that it may be a day off around Nowruz.

/** A date of some calendar: months and days count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Unix day number (days since 1970-01-01) of 1 Farvardin of `year`, before leap days are added. */
const EPOCH_DAY = 1_948_320 - 2_440_588;

/** Days in the months before month `m` (1-12): six of 31 days, five of 30, then Esfand. */
function daysBeforeMonth(month: number): number {
  return month <= 7 ? (month - 1) * 31 : (month - 1) * 30 + 6;
}

function newYearDay(year: number): number {
  return EPOCH_DAY + 365 * (year - 1) + Math.floor((8 * year + 21) / 33);
}

/** Days in a month of the Persian calendar: 29 or 30 for Esfand. */
export function jalaliMonthLength(year: number, month: number): number {
  if (month <= 6) return 31;
  if (month <= 11) return 30;
  return newYearDay(year + 1) - newYearDay(year) - 336;
}

/** Unix day number of a Persian date. The day is not checked against the month's length. */
export function jalaliToDay(date: CalendarDate): number {
  return newYearDay(date.year) + daysBeforeMonth(date.month) + date.day - 1;
}

/** The Persian date of a Unix day number. */
export function dayToJalali(day: number): CalendarDate {
  let year = Math.floor((33 * (day - EPOCH_DAY) + 3) / 12_053) + 1;
  while (newYearDay(year) > day) year -= 1;
  while (newYearDay(year + 1) <= day) year += 1;
  const rest = day - newYearDay(year);
  const month = rest < 186 ? Math.floor(rest / 31) + 1 : Math.floor((rest - 6) / 30) + 1;
  return { year, month, day: rest - daysBeforeMonth(month) + 1 };
}
