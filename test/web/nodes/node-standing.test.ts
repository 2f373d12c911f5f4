// How a node stands, from its record and its actor.
import { describe, expect, it } from "vitest";
import { nodeMachine, nodeStatusOf as statusOfChart } from "../../../machines/node.ts";
import { nodesOf } from "../../../src/runtime/index.ts";
import { nodeStatusOf, statusCounts } from "../../../src/web/nodes/node.ts";
import { printsIn, standingOf } from "../../../src/web/nodes/node-standing.ts";

const record: Parameters<typeof standingOf>[0] = {
  status: "connected",
  message: "",
  warnings: [],
  licensed: true,
  limitDisabled: false,
  since: 100,
  attempts: 0,
  cause: null,
};
const actor = { state: "linked.connected", since: 200, wakeAt: null, trouble: null, fault: false };
const MISMATCH = { code: "mismatched" as const, values: ["bbb=", "a+/a="], detail: "" };

describe("status of a state", () => {
  it("is the chart's own for every state that a node can rest in", () => {
    const states = nodesOf(nodeMachine.root).filter((node) => node.type !== "compound");
    expect(states.length).toBeGreaterThan(8);
    for (const { path } of states) expect(nodeStatusOf(path.join("."))).toBe(statusOfChart(path.join(".")));
  });

  it("adds up the counts of states", () => {
    const counts = {
      "linked.connected": 5,
      "linked.connecting.dialing": 1,
      "error.waiting": 2,
      "error.mismatched": 1,
      "disabled.limit": 4,
    };
    expect(statusCounts(counts)).toEqual({ connected: 5, connecting: 1, error: 3, disabled: 4 });
  });
});

describe("standing", () => {
  it("believes the actor over the record, which may be a moment older", () => {
    const standing = standingOf(record, {
      ...actor,
      state: "error.waiting",
      since: 300,
      wakeAt: 312,
      trouble: { since: 250, failures: 7 },
    });
    expect(standing).toMatchObject({ case: "backoff", status: "error", since: 250, wakeAt: 312, attempts: 7 });
  });

  it("takes a node with warnings for connected with warnings, and tells of no next step", () => {
    const standing = standingOf({ ...record, warnings: ["inbound a: no"] }, { ...actor, wakeAt: 900 });
    expect(standing).toMatchObject({ case: "warned", wakeAt: null });
  });

  it("names both keys of a node that presents another one", () => {
    const standing = standingOf(
      { ...record, status: "error", cause: MISMATCH },
      { ...actor, state: "error.mismatched" },
    );
    expect(standing).toMatchObject({ case: "mismatched", prints: { presented: "bbb=", saved: "a+/a=" } });
    expect(printsIn({ code: "connection_refused", values: ["10.0.0.1:1"] })).toBeUndefined();
  });

  it("does with the record alone where actors may not be read", () => {
    for (const code of ["mismatched", "refused", "duplicate"] as const) {
      expect(standingOf({ ...record, status: "error", cause: { code, values: [], detail: "" } }).case).toBe(code);
    }
    expect(standingOf({ ...record, status: "disabled", limitDisabled: true }).case).toBe("limit");
    expect(standingOf({ ...record, status: "disabled" }).case).toBe("off");
    expect(standingOf({ ...record, status: "connecting" })).toMatchObject({ case: "dialing", since: 100 });
  });
});

describe("a node in trouble", () => {
  const trouble = { since: 250, failures: 3 };

  it("has not served since the first attempt that failed, also while it is tried once more", () => {
    for (const state of ["error.waiting", "linked.connecting.dialing", "linked.refused.trying", "error.duplicate"]) {
      expect(standingOf(record, { ...actor, state, since: 300, trouble }), state).toMatchObject({
        since: 250,
        attempts: 3,
      });
    }
    expect(standingOf({ ...record, status: "error", since: 250, attempts: 3 })).toMatchObject({
      since: 250,
      attempts: 3,
    });
  });

  it("says which trouble it is", () => {
    const cases = {
      "linked.refused.waiting": "refused",
      "linked.refused.trying": "refused",
      "error.duplicate": "duplicate",
      "error.waiting": "backoff",
    };
    for (const [state, seen] of Object.entries(cases))
      expect(standingOf(record, { ...actor, state, trouble }).case).toBe(seen);
  });
});
