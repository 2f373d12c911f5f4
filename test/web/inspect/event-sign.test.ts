// XState's own event types read as what they mean.
import { expect, test } from "vitest";
import { nodeMachine } from "../../../machines/node.ts";
import { chartDataOf } from "../../../src/runtime/index.ts";
import { graphOf } from "../../../src/web/chart/graph.ts";
import { effectsOf, readEvent, tickTone } from "../../../src/web/inspect/event/event-sign.ts";

test("a deadline is named by its delay", () => {
  expect(readEvent("xstate.after.backoff.node.error.waiting", "node")).toEqual({ kind: "timer", name: "backoff" });
  expect(readEvent("xstate.after.5000.node.linked", "node")).toEqual({ kind: "timer", name: "5000" });
});

test("what an effect ended with is named by the effect", () => {
  const { definition, delays } = chartDataOf(nodeMachine);
  const effects = effectsOf(graphOf(definition, delays));
  expect(effects.get("link")).toBe("link");
  expect(readEvent("xstate.error.actor.link", "node", effects)).toEqual({ kind: "failed", name: "link" });
  expect(readEvent("xstate.done.actor.0.node.linked", "node", effects)).toEqual({ kind: "done", name: "node.linked" });
});

test("what the panel itself does has signs of its own, all else is an event", () => {
  expect(readEvent("due", "user").kind).toBe("due");
  expect(readEvent("created", "user").kind).toBe("created");
  expect(readEvent("link.lost", "node")).toEqual({ kind: "event", name: "link.lost" });
});

test("a step into failure is red whatever caused it; deadlines are amber", () => {
  expect(tickTone({ kind: "event", name: "link.lost" }, true)).toBe("failed");
  expect(tickTone({ kind: "timer", name: "backoff" }, false)).toBe("timer");
  expect(tickTone({ kind: "event", name: "reconnect" }, false)).toBe("plain");
});
