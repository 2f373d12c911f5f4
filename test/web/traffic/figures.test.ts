// Traffic as a plot draws it: the whole window, the heaviest, gaps where nothing is known.
import { expect, test } from "vitest";
import type { Traffic } from "../../../src/history/traffic.schema.ts";
import { directionOf, DRAWN, plotSeries, sumOf } from "../../../src/web/traffic/figures.ts";

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

test("one direction of a series, over the whole window up to now", () => {
  const shown = traffic({ series: [series(1, point(HOUR, 4))] });
  expect(directionOf(shown, 3 * HOUR, "up")).toEqual([
    { at: 0, value: null },
    { at: HOUR, value: 4 },
    { at: 2 * HOUR, value: null },
  ]);
  expect(directionOf(shown, 3 * HOUR, "down").map(({ value }) => value)).toEqual([null, 1, null]);
});

test("as many as there are colours are drawn; all of them count", () => {
  const many = Array.from({ length: DRAWN + 3 }, (_, index) => series(index + 1, point(0, 9)));
  const shown = traffic({ series: many, rest: { count: 3, up: 10, down: 5 } });
  expect(plotSeries(shown, HOUR, ({ name }) => name)).toHaveLength(DRAWN);
  expect(sumOf(shown)).toBe(many.length * 10 + 15);
});
