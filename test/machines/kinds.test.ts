// A kind of actors has the name of its chart's file: pages, drawings and words find a chart by the kind.
import { expect, test } from "vitest";
import { readCharts } from "../../scripts/charts/charts.ts";
import { PANEL } from "../../src/panel/features.ts";

const never = (): never => {
  throw new Error("no actor runs here");
};
const kinds = PANEL.kinds(() => ({
  timeZone: () => "UTC",
  setting: () => "",
  resident: () => never,
  errand: () => never,
  follow: () => never,
}));

test("every kind is called as the file of its chart, and every chart is of a kind", async () => {
  const defined = [...kinds.values()].flatMap((each) => Object.values(each)).map(({ definition }) => definition);
  const files = new Map((await readCharts()).map(({ kind, machine }) => [machine, kind]));
  expect(defined.map(({ kind, machine }) => ({ kind, file: files.get(machine) }))).toEqual(
    defined.map(({ kind }) => ({ kind, file: kind })),
  );
  expect(defined).toHaveLength(files.size);
});
