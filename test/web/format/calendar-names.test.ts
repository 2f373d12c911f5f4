// Names of months and days: each number has its own, and a week begins where the reader's does.
import { expect, test } from "vitest";
import { monthNames, weekdayNames } from "../../../src/web/format/calendar-names.ts";

test.each([
  ["en-GB", "Monday", 1],
  ["fa-IR", "شنبه", 6],
  ["ru-RU", "понедельник", 1],
  ["zh-CN", "星期一", 1],
])("a week in %s begins with %s, which is %i on the wire", (locale, label, value) => {
  const days = weekdayNames(locale);
  expect(days[0]).toEqual({ value, label });
  expect(new Set(days.map((day) => day.value))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  expect(new Set(days.map((day) => day.label)).size).toBe(7);
});

test("Sunday is 0", () => {
  expect(weekdayNames("en-GB", "short").find(({ value }) => value === 0)?.label).toBe("Sun");
});

test("months are counted from the first of their calendar", () => {
  expect(monthNames("en-GB", "gregory").at(0)).toEqual({ value: 1, label: "January" });
  expect(monthNames("en-GB", "gregory").at(-1)).toEqual({ value: 12, label: "December" });
  expect(monthNames("fa-IR", "persian").map(({ label }) => label)).toEqual([
    "فروردین",
    "اردیبهشت",
    "خرداد",
    "تیر",
    "مرداد",
    "شهریور",
    "مهر",
    "آبان",
    "آذر",
    "دی",
    "بهمن",
    "اسفند",
  ]);
  expect(monthNames("fa-IR", "gregory").at(0)?.label).toBe("ژانویه");
  expect(monthNames("zh-CN", "persian").at(8)?.label).toBe("9月");
  for (const locale of ["ru-RU", "zh-CN"])
    expect(new Set(monthNames(locale, "persian").map(({ label }) => label)).size).toBe(12);
});
