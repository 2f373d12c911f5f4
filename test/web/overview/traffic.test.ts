// The overview's traffic: what is asked of the range before, how both compare, and gaps where nothing is known.
import { expect, test } from "vitest";
import { changeSince, plotSeries, rangeBefore, totalOf, type Traffic } from "../../../src/web/overview/traffic.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const point = (at: number, up: number) => ({ at, up, down: 1 });
const series = (id: number, ...points: readonly ReturnType<typeof point>[]) => ({
  id,
  name: `n${id}`,
  up: points.reduce((sum, each) => sum + each.up, 0),
  down: points.length,
  points: [...points],
});
const traffic = (of: Partial<Traffic>): Traffic => ({
  start: 0,
  end: 5 * HOUR,
  step: "hour",
  zone: "UTC",
  series: [],
  rest: { count: 0, up: 0, down: 0 },
  ...of,
});
const values = (of: Traffic, now: number) =>
  plotSeries(of, now, ({ name }) => name).map(({ name, points }) => [name, points.map(({ value }) => value)]);

test("the range before ends where this one begins; without a before there is no comparison", () => {
  expect(rangeBefore({ start: 10 * HOUR, end: 14 * HOUR, step: "hour" })).toEqual({
    start: 6 * HOUR,
    end: 10 * HOUR,
    step: "hour",
  });
  const shown = traffic({ series: [series(1, point(0, 9))], rest: { count: 3, up: 10, down: 5 } });
  expect(totalOf(shown)).toBe(25);
  expect([changeSince(30, 20), changeSince(5, 20), changeSince(5, 0), changeSince(5, undefined)]).toEqual([
    0.5,
    -0.75,
    undefined,
    undefined,
  ]);
});

test("a moment of which no series knows anything is a gap, zeros are not; nothing is said of the future", () => {
  const shown = traffic({ series: [series(1, point(0, 4), point(3 * HOUR, 0)), series(2, point(HOUR, 7))] });
  // The second hour is known of one of them; the third of none; the fifth has not begun.
  expect(values(shown, 4 * HOUR)).toEqual([
    ["n1", [5, null, 1]],
    ["n2", [8, null]],
  ]);
});

test("a day of 23 hours makes no gap", () => {
  const days = [0, 1, 2].map((day) => point(day === 0 ? 0 : day * DAY - HOUR, day));
  const shown = traffic({ end: 3 * DAY - HOUR, step: "day", series: [series(1, ...days)] });
  expect(values(shown, 9 * DAY)).toEqual([["n1", [1, 2, 3]]]);
});
