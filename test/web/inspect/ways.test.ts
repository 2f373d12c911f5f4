// Where an event can lead, read from the real charts.
import { expect, test } from "vitest";
import { nodeMachine } from "../../../machines/node.ts";
import { userMachine } from "../../../machines/user.ts";
import { chartDataOf } from "../../../src/runtime/index.ts";
import { graphOf } from "../../../src/web/chart/graph.ts";
import { ownEventsOf, placesOf } from "../../../src/web/inspect/facts/ways.ts";

const graphs = [nodeMachine, userMachine].map((machine) => {
  const { definition, delays } = chartDataOf(machine);
  return graphOf(definition, delays);
});
const [node, user] = [graphs[0], graphs[1]];
if (!node || !user) throw new Error("no charts");

test("states that are left at once are no place to be: a deadline leads through them", () => {
  const places = placesOf(node, "error.waiting", "xstate.after.backoff.node.error.waiting");
  expect(places[0]).toBe("linked.connecting.dialing");
  expect(places).toContain("disabled.manual");
  expect(places).not.toContain("deciding");
});

test("an event that changes no state stays", () => {
  expect(placesOf(node, "linked.connected", "link.warned")).toEqual(["linked.connected"]);
});

test("the innermost state decides, as in the chart", () => {
  expect(placesOf(node, "linked.connected", "link.lost")).toEqual(["error.waiting"]);
  expect(placesOf(user, "disabled.volume", "switchOff")).toEqual(["disabled.manual"]);
});

test("where every branch has a condition, staying comes first", () => {
  expect(placesOf(node, "error.waiting", "due")).toEqual([
    "error.waiting",
    "disabled.manual",
    "disabled.limit",
    "disabled.licence",
  ]);
});

test("an event that a state does not know leads nowhere", () => {
  expect(placesOf(node, "disabled.manual", "link.lost")).toEqual([]);
});

test("deadlines of the state are the chart's own events", () => {
  expect(ownEventsOf(node, "error.waiting")).toEqual(["xstate.after.backoff.node.error.waiting"]);
  expect(ownEventsOf(user, "enabled.started")).toEqual([]);
});
