// What a list keeps beside its rows: stretches of a selection, the trail to records, named views.
import { expect, test } from "vitest";
import { stretch } from "../../../src/web/parts/table/selection.ts";
import { readViews } from "../../../src/web/parts/table/read-views.ts";

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] as const;
const keyOf = ({ id }: { id: number }) => id;
const ids = (from: number | undefined, to: (typeof rows)[number]) =>
  stretch<{ id: number }>(rows, keyOf, from, to).map(keyOf);

test("a stretch goes either way and holds both ends", () => {
  expect([ids(2, rows[3]), ids(3, rows[0]), ids(2, rows[1])]).toEqual([[2, 3, 4], [1, 2, 3], [2]]);
});

test("without a row before, or with one of another page, the row is alone", () => {
  expect([ids(undefined, rows[2]), ids(99, rows[2])]).toEqual([[3], [3]]);
});

test("whatever is no view is left out of what was kept", () => {
  const view = { name: "mine", address: "status=active", columns: { note: true } };
  expect(readViews(JSON.stringify([view, { name: 1 }, "x", null, { ...view, columns: { note: "yes" } }]))).toEqual([
    view,
  ]);
  expect([readViews(null), readViews("{"), readViews("{}")]).toEqual([[], [], []]);
});
