// Dates in both calendars and any zone: shown, typed, and between them.
import { expect, test } from "vitest";
import { dayToJalali } from "../../../src/lib/jalali.ts";
import { civilDate, formatDate, fromJalali, momentOf, parseDate, typedDate } from "../../../src/web/format/dates.ts";

/** 2026-11-22 08:30:00 UTC: noon in Tehran, 1 Azar 1405. */
const NOON = Date.UTC(2026, 10, 22, 8, 30) / 1000;
const TEHRAN = "Asia/Tehran";

test("a moment is shown in the calendar and zone in use", () => {
  expect(formatDate(NOON, { locale: "en-GB", calendar: "gregory", timeZone: TEHRAN })).toBe("22 Nov 2026, 12:00");
  expect(formatDate(NOON, { locale: "fa-IR", calendar: "persian", timeZone: TEHRAN }, "date")).toContain("۱۴۰۵");
});

test("the same moment has another day elsewhere", () => {
  expect(civilDate(NOON, "gregory", "Pacific/Kiritimati")).toEqual({ year: 2026, month: 11, day: 22 });
  expect(civilDate(NOON, "persian", TEHRAN)).toEqual({ year: 1405, month: 9, day: 1 });
});

test("every Jalali day of thirty years leads to the Gregorian one that shows it", () => {
  for (let at = Date.UTC(2010, 0, 1, 12) / 1000; at < Date.UTC(2040, 0, 1) / 1000; at += 86_400) {
    const jalali = civilDate(at, "persian", "UTC");
    expect(fromJalali(jalali)).toEqual(civilDate(at, "gregory", "UTC"));
  }
});

test("the Jalali day that is shown is the one on which the panel resets counters", () => {
  for (let day = Date.UTC(1990, 0, 1) / 86_400_000; day < Date.UTC(2090, 0, 1) / 86_400_000; day += 1) {
    expect(civilDate(day * 86_400 + 43_200, "persian", "UTC")).toEqual(dayToJalali(day));
  }
});

test.each([
  [1399, 30],
  [1400, 29],
  [1403, 30],
  [1404, 29],
  [1408, 30],
  [1412, 30],
])("Esfand of %i has %i days", (year, last) => {
  expect(fromJalali({ year, month: 12, day: last })).toBeDefined();
  expect(fromJalali({ year, month: 12, day: last + 1 })).toBeUndefined();
});

test.each(["en-GB", "ru-RU", "zh-CN"])("a Jalali date in %s names no era", (locale) => {
  const date = formatDate(NOON, { locale, calendar: "persian", timeZone: TEHRAN });
  expect(date).toMatch(/1405/);
  expect(date).not.toMatch(/AP|перс|波斯/);
});

test("a Jalali day that the year does not have is none", () => {
  expect(fromJalali({ year: 1404, month: 12, day: 30 })).toBeUndefined();
  expect(fromJalali({ year: 1405, month: 7, day: 31 })).toBeUndefined();
});

test.each([
  ["2026-11-22 12:00", NOON],
  ["1405/09/01 12:00", NOON],
  ["2026.11.22 12:00", NOON],
])("%s typed in Tehran is that moment", (typed, at) => {
  expect(parseDate(typed, TEHRAN)).toBe(at);
});

test("a day without a time is meant to its end", () => {
  expect(parseDate("2026-11-22", "UTC")).toBe(Date.UTC(2026, 10, 22, 23, 59) / 1000);
});

test.each(["", "tomorrow", "2026-02-30", "2026-13-01", "1404-12-30", "2026-11-22 25:00"])("%s is no date", (typed) => {
  expect(parseDate(typed, "UTC")).toBeUndefined();
});

test("what is written into a field is read back as the same minute", () => {
  for (const zone of ["UTC", TEHRAN, "America/New_York", "Australia/Lord_Howe"]) {
    for (const calendar of ["gregory", "persian"] as const) {
      expect(parseDate(typedDate(NOON, calendar, zone), zone)).toBe(NOON);
    }
  }
});

test("the change of the clocks moves the moment, not the hour on the wall", () => {
  const before = momentOf({ year: 2026, month: 10, day: 24 }, 12, 0, "Europe/Berlin");
  const after = momentOf({ year: 2026, month: 10, day: 25 }, 12, 0, "Europe/Berlin");
  expect(after - before).toBe(25 * 3600);
});
