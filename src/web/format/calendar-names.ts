// Months and days of the week by name, in the order in which a language's readers count them.
import type { Calendar } from "./dates.ts";

/** 0 is Sunday. */
const FIRST_DAY: Readonly<Record<string, number>> = { en: 1, fa: 6, ru: 1, zh: 1 };
const DAY_MS = 86_400_000;

export interface NamedNumber {
  readonly value: number;
  readonly label: string;
}

/**
 * The days of a week by their number on the wire (0 is Sunday), beginning with the day that begins a week in the
 * language.
 */
export function weekdayNames(locale: string, width: "long" | "short" | "narrow" = "long"): NamedNumber[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: width, timeZone: "UTC" });
  const first = FIRST_DAY[locale.slice(0, 2)] ?? 1;
  return Array.from({ length: 7 }, (_, index) => {
    const value = (first + index) % 7;
    // 4 January 1970 was a Sunday.
    return { value, label: format.format((3 + value) * DAY_MS) };
  });
}

/** The months of a calendar, 1 to 12. */
export function monthNames(locale: string, calendar: Calendar): NamedNumber[] {
  const format = new Intl.DateTimeFormat(locale, { month: "long", calendar, timeZone: "UTC" });
  // The fifth of each Jalali month lies in the last third of a Gregorian one; Farvardin in March.
  const day = calendar === "persian" ? 25 : 5;
  const before = calendar === "persian" ? 2 : 0;
  return Array.from({ length: 12 }, (_, index) => {
    const label = format.format(Date.UTC(1970, before + index, day));
    // Chinese counts the months of foreign calendars; alone such a number says nothing.
    return { value: index + 1, label: /^\d+$/.test(label) ? `${index + 1}月` : label };
  });
}
