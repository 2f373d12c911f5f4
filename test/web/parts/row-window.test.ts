// Which rows of a long table are drawn: those in sight, whatever their heights, at any place.
import { expect, test } from "vitest";
import { offsetsOf, rowAt, windowOf } from "../../../src/web/parts/table/row-window.ts";

const ROWS = 10_000;
/** Every third is higher. */
const offsets = offsetsOf(ROWS, (place) => (place % 3 === 0 ? 60 : 40));

test.each([0, 1, 777.5, 123_456, 460_000, 466_000])(
  "at %d pixels what is in sight is drawn, and little else",
  (top) => {
    const { from, to, before, after } = windowOf(offsets, top, 900);
    expect(before).toBeLessThanOrEqual(top);
    expect(offsets[to]).toBeGreaterThanOrEqual(Math.min(top + 900, offsets[ROWS] ?? 0));
    expect(to - from).toBeLessThan(60);
    expect([offsets[from], (offsets[to] ?? 0) + after]).toEqual([before, offsets[ROWS]]);
  },
);

test("a height belongs to the row that is drawn there", () => {
  expect([0, 59, 60, 99, 100].map((height) => rowAt(offsets, height))).toEqual([0, 0, 1, 1, 2]);
  expect([-5, 1e9].map((height) => rowAt(offsets, height))).toEqual([0, ROWS - 1]);
  expect(
    windowOf(
      offsetsOf(0, () => 40),
      0,
      900,
    ),
  ).toEqual({ from: 0, to: 0, before: 0, after: 0 });
});
