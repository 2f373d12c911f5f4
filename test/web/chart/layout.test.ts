// The layout gives the same drawing each time, in any process, and copes with charts larger than ours.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createMachine } from "xstate";
import { layOut, partsOf } from "../../../scripts/charts/layout.ts";
import { chartDataOf } from "../../../src/runtime/index.ts";
import { graphOf } from "../../../src/web/chart/graph.ts";

const NODE24 = fileURLToPath(new URL("../../../bin/node24.mjs", import.meta.url));
const LAID_OUT = new URL("laid-out.ts", import.meta.url);

test("two processes draw the same, byte by byte", async () => {
  const run = async () => (await promisify(execFile)(process.execPath, [NODE24, fileURLToPath(LAID_OUT)])).stdout;
  const [first, second] = [await run(), await run()];
  expect(first).toMatch(/^[0-9a-f]{64}\n$/);
  expect(second).toBe(first);
});

/** `groups` states with `size` states each, in rings, and ways between them. */
function synthetic(groups: number, size: number) {
  const numbers = (count: number) => Array.from({ length: count }).keys();
  const states = Object.fromEntries(
    [...numbers(groups)].map((group) => {
      const inner = [...numbers(size)].map((index) => [
        `s${index}`,
        {
          on: { next: `s${(index + 1) % size}` },
          ...(index === 0 ? { after: { 1000: `#m.g${(group + 1) % groups}` } } : {}),
        },
      ]);
      return [
        `g${group}`,
        { initial: "s0", states: Object.fromEntries(inner), on: { leave: `g${(group + 2) % groups}` } },
      ];
    }),
  );
  const { definition, delays } = chartDataOf(createMachine({ id: "m", initial: "g0", states }));
  return graphOf(definition, delays);
}

test("a chart of sixty states is laid out whole", async () => {
  const graph = synthetic(10, 6);
  const geometry = await layOut(graph, "full", 0);
  expect(Object.keys(geometry.boxes)).toHaveLength(70);
  expect(Object.keys(geometry.wires)).toHaveLength(graph.wires.size);
});

test("states that nothing joins are parts of their own", async () => {
  const { definition, delays } = chartDataOf(
    createMachine({ id: "m", initial: "a", states: { a: { on: { go: "b" } }, b: {}, c: { on: { end: "d" } }, d: {} } }),
  );
  const graph = graphOf(definition, delays);
  expect(partsOf(graph).map(({ roots }) => roots)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  const { boxes } = await layOut(graph, "full", 0);
  expect((boxes["c"] ?? [0])[0]).toBeGreaterThan((boxes["a"] ?? [0, 0, 0, 0])[0]);
});

test("a digest is of everything that a chart says", () => {
  const digestOf = (description: string) =>
    chartDataOf(createMachine({ id: "m", initial: "a", states: { a: { description } } })).digest;
  expect(digestOf("One.")).toBe(digestOf("One."));
  expect(digestOf("One.")).not.toBe(digestOf("Two."));
});
