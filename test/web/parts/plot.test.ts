// What a plot draws and a span of time says: gaps stay gaps, stacks add up, scales are round, addresses are read back.
import { describe, expect, test } from "vitest";
import { nearest, rowsOf, runsOf, stacked, ticks } from "../../../src/web/parts/plot/scale.ts";
import { rangeIn, withRange } from "../../../src/web/parts/time/range.ts";

const series = (id: string, ...points: (readonly [number, number | null])[]) => ({
  id,
  name: id,
  points: points.map(([at, value]) => ({ at, value })),
});

describe("plots", () => {
  const both = [series("a", [1, 1], [2, null], [3, 3]), series("b", [1, 10], [2, 20], [4, 40])];

  test("each moment has what each series says of it; what it does not say is no zero", () => {
    expect(rowsOf(both).map(({ at, values }) => [at, ...values])).toEqual([
      [1, 1, 10],
      [2, null, 20],
      [3, 3, null],
      [4, null, 40],
    ]);
  });

  test("a gap ends a line; a stack stands without what is not known", () => {
    expect(runsOf(rowsOf(both), 0).map((run) => run.map(({ at }) => at))).toEqual([[1], [3]]);
    expect(stacked(rowsOf(both)).map(({ values }) => values)).toEqual([
      [1, 11],
      [null, 20],
      [3, null],
      [null, 40],
    ]);
  });

  test.each([
    [7, 10, [0, 2, 4, 6, 8]],
    [0.3, 10, [0, 0.1, 0.2, 0.30000000000000004]],
    [0, 10, [0, 1]],
    [3 * 1024 ** 3, 1024, [0, 1, 2, 3].map((gib) => gib * 1024 ** 3)],
  ] as const)("the scale up to %s in steps of %s is round", (most, base, steps) => {
    expect(ticks(most, 4, base)).toEqual(steps);
  });

  test("the pointer finds the nearest moment", () => {
    const rows = rowsOf(both);
    expect([nearest(rows, -5), nearest(rows, 2.4), nearest(rows, 99), nearest([], 1)]).toEqual([0, 1, 3, undefined]);
  });
});

describe("a span of time", () => {
  const now = 1_000_000;
  const read = (text: string) => rangeIn(new URLSearchParams(text), now, "24h");

  test("is the usual one, a named one or two ends; nonsense is the usual one", () => {
    expect(read("")).toEqual({ from: now - 86_400, to: now, preset: "24h" });
    expect(read("range=1h").from).toBe(now - 3600);
    expect(read("from=5&to=9")).toEqual({ from: 5, to: 9, preset: undefined });
    for (const text of ["range=2h", "from=9&to=5", "from=5", "from=-1&to=9", "from=x&to=y"])
      expect(read(text).preset).toBe("24h");
  });

  test("stands in the address with what else is there, the usual one not at all", () => {
    const at = new URLSearchParams("tab=usage&range=7d");
    expect(String(withRange(at, "24h", "24h"))).toBe("tab=usage");
    expect(String(withRange(at, { from: 5, to: 9 }, "24h"))).toBe("tab=usage&from=5&to=9");
  });
});
