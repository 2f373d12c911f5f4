// The Persian calendar against ICU's, day by day.
import { expect, test } from "vitest";
import { dayToJalali, jalaliMonthLength, jalaliToDay } from "../../src/lib/jalali.ts";

test("agrees with ICU on every day from 1300 to 1500 and converts back", () => {
  const icu = new Intl.DateTimeFormat("en-US-u-ca-persian-nu-latn", {
    timeZone: "UTC",
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const first = jalaliToDay({ year: 1300, month: 1, day: 1 });
  const last = jalaliToDay({ year: 1500, month: 12, day: 29 });
  const wrong: string[] = [];
  for (let day = first; day <= last; day += 1) {
    const { year, month, day: dayOfMonth } = dayToJalali(day);
    const expected = /^(\d+)\/(\d+)\/(\d+)/.exec(icu.format(day * 86_400_000));
    const same =
      expected && Number(expected[1]) === month && Number(expected[2]) === dayOfMonth && Number(expected[3]) === year;
    if (!same || jalaliToDay({ year, month, day: dayOfMonth }) !== day)
      wrong.push(`${day}: ${year}/${month}/${dayOfMonth}`);
  }
  expect(last - first).toBeGreaterThan(73_000);
  expect(wrong).toEqual([]);
});

test("Esfand has 30 days in leap years", () => {
  const leap = Array.from({ length: 21 }, (_, index) => 1399 + index).filter(
    (year) => jalaliMonthLength(year, 12) === 30,
  );
  expect(leap).toEqual([1399, 1403, 1408, 1412, 1416]);
});
