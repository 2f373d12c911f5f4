// Traffic as a plot draws it: moments of which nothing is known stand where they are missing.
import { expect, test } from "vitest";
import { withGaps } from "../../../src/web/nodes/traffic/with-gaps.ts";

const HOUR = 3600;
const at = (hour: number) => ({ at: hour * HOUR, up: hour, down: 0 });
const range = { start: 0, end: 6 * HOUR, step: "hour" } as const;

test("hours that are missing before, between and after those that are known", () => {
  const moments = withGaps(range, [at(1), at(2), at(4)]);
  expect(moments.map((each) => each.at / HOUR)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(moments.map(({ point }) => point?.up)).toEqual([undefined, 1, 2, undefined, 4, undefined]);
});

test("a day of twenty-three hours leaves no gap", () => {
  const days = [0, 24, 47, 71].map((hour) => at(hour));
  expect(withGaps({ start: 0, end: 95 * HOUR, step: "day" }, days).every(({ point }) => point)).toBe(true);
});
