// What an uptime bar says: every step of the range, known or not; seconds by state; outages, the latest first.
import { expect, test } from "vitest";
import { momentsOf, outagesOf, secondsOf, type Bar } from "../../../src/web/nodes/health/stretches.ts";

const BAR: Bar = [
  { start: 1000, end: 1500, state: "up" },
  { start: 1500, end: 1800, state: "down" },
  { start: 1800, end: 2100, state: "unknown" },
  { start: 2100, end: 2400, state: "partial" },
];

test("a step of which nothing is known is a moment too, so that a gap is drawn as a gap", () => {
  expect(momentsOf({ start: 1000, step: 300, bar: BAR })).toEqual([900, 1200, 1500, 1800, 2100]);
  expect(momentsOf({ start: 1000, step: 300, bar: [] })).toEqual([900]);
});

test("seconds and outages of a bar", () => {
  expect(secondsOf(BAR)).toEqual({ up: 500, down: 300, unknown: 300, partial: 300 });
  expect(outagesOf(BAR).map(({ start }) => start)).toEqual([2100, 1500]);
});
