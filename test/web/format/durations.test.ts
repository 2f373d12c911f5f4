// Lengths of time and distances from now in words.
import { expect, test } from "vitest";
import { formatClock, formatDuration, formatRelative, formatUnit } from "../../../src/web/format/durations.ts";
import { formatCompact, formatPercent } from "../../../src/web/format/numbers.ts";
import { plural } from "../../../src/web/words/plural.ts";

const DAY = 86_400;

test.each([
  [0, "0 secs"],
  [59, "59 secs"],
  [3700, "1 hr 1 min"],
  [3605, "1 hr"],
  [45 * DAY + 7200, "45 days 2 hrs"],
])("%d seconds are %s", (seconds, words) => {
  expect(formatDuration(seconds, "en-GB")).toBe(words);
});

test.each([
  [5, "0:05"],
  [65.2, "1:06"],
  [3665, "1:01:05"],
  [-3, "0:00"],
])("a countdown of %d seconds shows %s", (seconds, digits) => {
  expect(formatClock(seconds, "en-GB")).toBe(digits);
});

test.each([
  [39 * DAY, "in 39 days"],
  [89 * DAY, "in 89 days"],
  [200 * DAY, "in 7 months"],
  // Just sold.
  [30 * DAY - 60, "in 30 days"],
  [29 * DAY + 3600, "in 29 days"],
  [-3600, "1 hour ago"],
  [-DAY - 5, "1 day ago"],
  // The day before yesterday for who looks in the morning.
  [-47 * 3600, "1 day ago"],
  [0, "now"],
])("%d seconds from now is %s", (delta, words) => {
  expect(formatRelative(delta, "en-GB")).toBe(words);
});

test.each([
  ["fa-IR", "۲ ساعت و ۵ دقیقه", "۳ روز دیگر", "۳ ساعت دیگر"],
  ["ru-RU", "2 ч 5 мин", "через 3 дня", "через 3 часа"],
  ["zh-CN", "2小时5分钟", "3天后", "3小时后"],
])("in %s lengths and distances read as they are spoken", (locale, length, days, hours) => {
  expect(formatDuration(2 * 3600 + 300, locale)).toBe(length);
  expect(formatRelative(3 * DAY, locale)).toBe(days);
  expect(formatRelative(3 * 3600, locale)).toBe(hours);
});

test("narrow units are no Latin letters in Persian", () => {
  expect(formatUnit(51, "millisecond", "fa-IR", { display: "narrow" })).toBe("۵۱ میلی‌ثانیه");
  expect(formatUnit(51, "millisecond", "en-GB", { display: "narrow" })).toBe("51ms");
});

test("a million is no milli", () => {
  expect(formatCompact(1_234_567, "en-GB")).toBe("1.2M");
  expect(formatCompact(12_345, "fa-IR").replaceAll("\u00a0", " ")).toBe("۱۲٫۳ هزار");
});

test("a share is whole only when it is", () => {
  expect([0, 0.001, 0.5, 0.999, 1, 1.2].map((share) => formatPercent(share, "en-GB"))).toEqual([
    "0%",
    "1%",
    "50%",
    "99%",
    "100%",
    "120%",
  ]);
});

test("a count takes its language's form", () => {
  const forms = { one: "строка", few: "строки", many: "строк", other: "строки" };
  expect([1, 2, 5, 21].map((count) => plural("ru", count, forms))).toEqual(["строка", "строки", "строк", "строка"]);
});
