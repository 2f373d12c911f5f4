// A definition becomes boxes, rows and wires.
import { describe, expect, test } from "vitest";
import { createMachine } from "xstate";
import { nodeMachine } from "../../../machines/node.ts";
import { userMachine } from "../../../machines/user.ts";
import { chartDataOf } from "../../../src/runtime/index.ts";
import { graphOf } from "../../../src/web/chart/graph.ts";
import { takeableFrom, traceOf } from "../../../src/web/chart/trace.ts";

function drawn(machine: Parameters<typeof chartDataOf>[0]) {
  const { definition, delays } = chartDataOf(machine);
  return graphOf(definition, delays);
}
const node = drawn(nodeMachine);
const user = drawn(userMachine);

describe("a graph", () => {
  test("has a box for every state, with its sentence", () => {
    expect(node.boxes.get("error.waiting")).toMatchObject({ kind: "atomic", parent: "error", name: "waiting" });
    for (const box of node.boxes.values()) if (box.kind !== "any") expect(box.meaning, box.id).toMatch(/\w+\.$/);
  });

  test("merges wires with equal ends, and conditions that several events share", () => {
    expect(node.wires.get("linked>disabled.manual")?.labels).toEqual([
      { kind: "event", text: "edited, due", guard: "[off]", events: ["edited", "due"] },
    ]);
  });

  test("keeps deadlines as rows of the state, with the time they last, and their wires without words", () => {
    const dialing = node.boxes.get("linked.connecting.dialing");
    expect(dialing?.rows).toMatchObject([
      { kind: "awaited", label: "dialDeadline 20 s", wire: "linked.connecting.dialing>error.waiting" },
    ]);
    expect(node.wires.get("linked.connecting.dialing>error.waiting")).toMatchObject({ dashed: true, labels: [] });
  });

  test("keeps what changes no state as rows, and draws no loops", () => {
    expect(node.boxes.get("linked.connected")?.rows.map(({ kind, label }) => [kind, label])).toEqual([
      ["self", "link.opened"],
      ["self", "link.synced"],
      ["self", "link.warned"],
    ]);
    for (const { from, to } of [...node.wires.values(), ...user.wires.values()]) expect(from).not.toBe(to);
  });

  test("draws an outer state's way to a state within it from any state", () => {
    expect(node.boxes.get("/any")).toMatchObject({ kind: "any", parent: "" });
    expect(node.wires.get("/any>disabled.manual")?.labels[0]?.text).toBe("switchOff");
    expect(user.wires.has("enabled/any>enabled.deciding")).toBe(true);
  });

  test("says which states are left in the step that enters them", () => {
    expect([...user.boxes.values()].filter(({ passing }) => passing).map(({ id }) => id)).toEqual([
      "enabled.deciding",
      "disabled.deciding",
    ]);
  });

  test("names an effect that settles by what it is, and the branch that is left `else`", () => {
    const graph = drawn(
      createMachine({
        id: "m",
        initial: "a",
        states: {
          a: {
            invoke: {
              id: "dial",
              src: "dial",
              onDone: [{ guard: "good", target: "b" }, { target: "c" }],
              onError: "c",
            },
            after: { 1500: "b", 60000: "c" },
          },
          b: {},
          c: { type: "final" },
        },
      }),
    );
    expect(graph.wires.get("a>b")?.labels).toMatchObject([{ kind: "done", text: "dial", guard: "[good]" }]);
    expect(graph.wires.get("a>c")?.labels).toMatchObject([{ kind: "done", text: "dial", guard: "[else]" }]);
    expect(graph.boxes.get("a")?.rows.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      "effect dial",
      "awaited dial",
      "awaited 1500 ms",
      "awaited 1 min",
    ]);
    expect(graph.boxes.get("c")?.kind).toBe("final");
  });

  test("of regions side by side has no drawing", () => {
    expect(drawn(createMachine({ id: "m", type: "parallel", states: { a: {}, b: {} } })).drawable).toBe(false);
  });
});

describe("a row of the journal", () => {
  test("is found on its wire", () => {
    expect(
      traceOf(node, { event: "link.synced", from: "linked.connecting.syncing", to: "linked.connected" }).wires,
    ).toEqual(["linked.connecting.syncing>linked.connected"]);
  });

  test("of an outer state is found on that state's wire", () => {
    expect(traceOf(node, { event: "link.lost", from: "linked.connecting.dialing", to: "error.waiting" }).wires).toEqual(
      ["linked>error.waiting"],
    );
    expect(traceOf(node, { event: "switchOff", from: "error.waiting", to: "disabled.manual" }).wires).toEqual([
      "/any>disabled.manual",
    ]);
  });

  test("goes on through states that are left in the same step", () => {
    expect(
      traceOf(node, { event: "switchOn", from: "disabled.manual", to: "linked.connecting.dialing" }).wires,
    ).toEqual(["disabled.manual>deciding", "deciding>linked"]);
    expect(traceOf(user, { event: "renewed", from: "disabled.resaleVolume", to: "enabled.started" }).wires).toEqual([
      "disabled.resaleVolume>disabled.deciding",
      "disabled.deciding>enabled",
      "enabled.deciding>enabled.started",
    ]);
  });

  test("of an actor's creation goes from the start", () => {
    expect(traceOf(node, { event: "", from: null, to: "disabled.manual" }).wires).toEqual(["deciding>disabled.manual"]);
  });

  test("that changes no state is a row in the box", () => {
    const { wires, row } = traceOf(node, { event: "link.warned", from: "linked.connected", to: "linked.connected" });
    expect([wires, node.boxes.get("linked.connected")?.rows.find(({ id }) => id === row)?.label]).toEqual([
      [],
      "link.warned",
    ]);
  });

  test("that the chart does not have is nowhere", () => {
    expect(traceOf(node, { event: "nothing", from: "error.waiting", to: "disabled.manual" })).toEqual({
      wires: [],
      row: undefined,
    });
  });
});

test("what a state can take are the wires of its events and its own deadlines", () => {
  expect([...takeableFrom(node, "error.waiting", new Set(["reconnect"]))].toSorted()).toEqual([
    "error.waiting>deciding",
    "error>deciding",
  ]);
});
