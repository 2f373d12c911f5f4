// What a sparkline draws: lines between figures that follow each other, and a column for one that stands alone.
import { expect, test } from "vitest";
import { sparkLine } from "../../../src/web/parts/plot/spark-line.ts";

test("figures that follow each other are a line over the whole width, from the ground to the upper edge", () => {
  expect(sparkLine([0, 5, 10], 40, 24)).toEqual({ runs: ["0,22 20,12 40,2"], columns: [], ground: 22 });
});

test("a figure between gaps is a column as high as it is, not a point that nobody sees", () => {
  expect(sparkLine([null, 10, null, 4, 5], 40, 24)).toEqual({
    runs: ["30,14 40,12"],
    columns: [{ x: 10, y: 2 }],
    ground: 22,
  });
  expect(sparkLine([null, null, 7], 40, 24).columns).toEqual([{ x: 40, y: 2 }]);
});

test("of nothing nothing is drawn, and zeros lie on the ground", () => {
  expect(sparkLine([null, null], 40, 24)).toEqual({ runs: [], columns: [], ground: 22 });
  expect(sparkLine([0, 0], 40, 24).runs).toEqual(["0,22 40,22"]);
});
