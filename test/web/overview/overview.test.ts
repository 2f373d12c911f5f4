// What the overview tells: what needs a person, and what a new panel still lacks.
import { describe, expect, it } from "vitest";
import { subjectOf } from "../../../src/web/events/raised-event.ts";
import { firstSteps, nextStep } from "../../../src/web/overview/first-steps.ts";
import { needsOf } from "../../../src/web/overview/needs.ts";

type Sources = Parameters<typeof needsOf>[0];
const node = (id: number) =>
  ({
    id,
    name: `n${id}`,
    status: "error",
    message: "no route",
    warnings: [],
    licensed: true,
    limitDisabled: false,
    lastStatusChange: 500,
  }) as unknown as Sources["nodes"][number];
const actor = (id: number, since: number, fault = false) =>
  ({
    kind: "node",
    id: String(id),
    name: `n${id}`,
    state: "error.waiting",
    since,
    wakeAt: null,
    attempts: 0,
    fault,
  }) as unknown as Sources["actors"][number];

describe("what needs a person", () => {
  it("has the oldest on top", () => {
    const needs = needsOf({ nodes: [node(1), node(2)], actors: [actor(1, 300), actor(2, 100)], faults: [] });
    expect(needs.map(({ key }) => key)).toEqual(["node 2", "node 1"]);
  });

  it("tells a node in quarantine once", () => {
    const needs = needsOf({ nodes: [node(1)], actors: [actor(1, 300)], faults: [actor(1, 300, true)] });
    expect(needs.map(({ kind }) => kind)).toEqual(["fault"]);
  });
});

describe("first steps", () => {
  const nothing = { templates: 0, nodes: 0, connected: 0, users: 0, fetched: 0 };

  it("begin with what to serve, and end when a client has fetched a subscription", () => {
    expect(nextStep(firstSteps(nothing))).toBe("serve");
    expect(nextStep(firstSteps({ ...nothing, templates: 1, nodes: 1 }))).toBe("node");
    expect(nextStep(firstSteps({ templates: 1, nodes: 1, connected: 1, users: 1, fetched: 0 }))).toBe("link");
    expect(nextStep(firstSteps({ templates: 1, nodes: 1, connected: 1, users: 1, fetched: 1 }))).toBeUndefined();
  });

  it("lead to the node that is there and not connected, not to another one", () => {
    const progress = { templates: 1, nodes: 1, connected: 0, users: 0, fetched: 0 };
    const [, step] = firstSteps(progress, { node: { id: 5, name: "this machine" } });
    expect(step).toEqual({ id: "node", done: false, at: "/nodes/start?id=5", begun: "this machine" });
    const [, taken] = firstSteps({ ...progress, connected: 1 }, { node: { id: 5, name: "this machine" } });
    expect(taken).toEqual({ id: "node", done: true, made: { name: "this machine", href: "/nodes/5" } });
  });

  it("say what they made, and lead from the last user to its link", () => {
    const made = { template: { id: 3, name: "first" }, user: { id: 8, name: "anna" } };
    const steps = firstSteps({ templates: 1, nodes: 1, connected: 0, users: 1, fetched: 0 }, made);
    expect(steps).toEqual([
      { id: "serve", done: true, made: { name: "first", href: "/templates/3" } },
      { id: "node", done: false },
      { id: "user", done: true, made: { name: "anna", href: "/users/8" } },
      { id: "link", done: false, at: "/users/new?made=8" },
    ]);
  });
});

describe("an event", () => {
  it("leads to its record unless that is gone", () => {
    expect(subjectOf({ event: "user.expired", data: { userId: 4 } })).toBe("/users/4");
    expect(subjectOf({ event: "node.connected", data: { nodeId: 2 } })).toBe("/nodes/2");
    expect(subjectOf({ event: "user.deleted", data: { userId: 4 } })).toBeUndefined();
    expect(subjectOf({ event: "panel.started", data: {} })).toBeUndefined();
  });
});
