// Numbers of the fleet page on the real charts.
import { expect, test } from "vitest";
import { nodeMachine } from "../../../machines/node.ts";
import { chartDataOf } from "../../../src/runtime/index.ts";
import { graphOf } from "../../../src/web/chart/graph.ts";
import { failedStates, flowByWire, totalOf } from "../../../src/web/inspect/fleet/fleet.ts";

const { definition, delays } = chartDataOf(nodeMachine);
const graph = graphOf(definition, delays);

test("what passes a state that is left at once is counted on each wire it takes", () => {
  const flow = flowByWire(graph, [
    {
      event: "xstate.after.backoff.node.error.waiting",
      from: "error.waiting",
      to: "linked.connecting.dialing",
      perMinute: 4,
    },
    { event: "switchOn", from: "disabled.manual", to: "linked.connecting.dialing", perMinute: 2 },
  ]);
  expect(flow.get("error.waiting>deciding")).toBe(4);
  expect(flow.get("deciding>linked")).toBe(6);
});

test("flow of a transition that the chart does not draw is left out", () => {
  expect(flowByWire(graph, [{ event: "unheard", from: "a", to: "b", perMinute: 9 }]).size).toBe(0);
});

test("all within a state of failure is asked for as one", () => {
  expect(failedStates("node", { "error.waiting": 3, "error.mismatched": 1, "linked.connected": 90 })).toEqual({
    states: ["error.*"],
    total: 4,
  });
});

test("an account at its end is no failure that a person mends", () => {
  expect(failedStates("user", { "disabled.expiry": 40, "disabled.volume": 2 })).toEqual({ states: [], total: 0 });
});

test("totals are sums of states", () => {
  expect(totalOf({ a: 2, b: 40 })).toBe(42);
});
