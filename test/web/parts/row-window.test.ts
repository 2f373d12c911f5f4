// Which rows of a long table are drawn: those in sight, whatever their heights, at any place.
import { expect, test } from "vitest";
import { RowHeights, rowAt, windowOf } from "../../../src/web/parts/table/row-window.ts";

const ROWS = 10_000;
const heightsOf = (from: number, to: number, heightOf: (place: number) => number) =>
  new Map(Array.from({ length: to - from }, (_, index) => [from + index, heightOf(from + index)]));
/** Every third is higher. */
const heights = new RowHeights(46);
heights.offsets(ROWS);
heights.learn(heightsOf(0, ROWS, (place) => (place % 3 === 0 ? 60 : 40)));
const offsets = heights.offsets(ROWS);

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
  expect(windowOf(new RowHeights(40).offsets(0), 0, 900)).toEqual({ from: 0, to: 0, before: 0, after: 0 });
});

test("the first rows that are drawn tell the height of the others, later ones tell their own", () => {
  const rows = new RowHeights(46);
  expect(rows.offsets(100).at(-1)).toBe(4600);
  expect(rows.learn(heightsOf(0, 10, (place) => (place < 5 ? 40 : 60)))).toBe(true);
  expect([...rows.offsets(100).subarray(4, 8), rows.offsets(100).at(-1)]).toEqual([160, 200, 260, 320, 5000]);
  // Nothing has to be drawn again for them.
  expect(rows.learn(heightsOf(10, 12, () => 70))).toBe(false);
  expect(rows.offsets(100).at(-1)).toBe(5040);
  expect(rows.learn(heightsOf(10, 12, () => 70))).toBe(false);
});

test("rows that all have another height than before say that the rest has it too; one that grew does not", () => {
  const rows = new RowHeights(46);
  rows.offsets(100);
  rows.learn(heightsOf(0, 50, () => 46));
  expect(rows.learn(heightsOf(10, 20, (place) => (place === 12 ? 66 : 46)))).toBe(false);
  expect(rows.offsets(100).at(-1)).toBe(4620);
  expect(rows.learn(heightsOf(10, 20, () => 34))).toBe(true);
  expect(rows.offsets(100).at(-1)).toBe(3400);
});

test("rows that came are usual ones, and of those that went nothing is left", () => {
  const rows = new RowHeights(40);
  rows.offsets(3);
  rows.learn(new Map([[2, 60]]));
  expect([rows.offsets(3).at(-1), rows.offsets(2).at(-1), rows.offsets(4).at(-1)]).toEqual([180, 120, 240]);
});
