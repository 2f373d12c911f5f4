// How a node stands, from its record and its actor.
import { describe, expect, it } from "vitest";
import { nodeMachine, nodeStatusOf as statusOfChart } from "../../../machines/node.ts";
import { nodesOf } from "../../../src/runtime/index.ts";
import { nodeStatusOf, statusCounts } from "../../../src/web/nodes/node.ts";
import { attemptsIn, printsIn, standingOf, unreachedSince } from "../../../src/web/nodes/standing.ts";

const record: Parameters<typeof standingOf>[0] = {
  status: "connected",
  message: "",
  warnings: [],
  licensed: true,
  limitDisabled: false,
  lastStatusChange: 100,
};
const actor = { state: "linked.connected", since: 200, wakeAt: null, attempts: 0, fault: false };
const MISMATCH = "the agent presents the key bbb=, pinned is a+/a=: repin or move the node if this is intended";

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
    const standing = standingOf(record, { ...actor, state: "error.waiting", since: 300, wakeAt: 312, attempts: 7 });
    expect(standing).toMatchObject({ case: "backoff", status: "error", since: 300, wakeAt: 312, attempts: 7 });
  });

  it("takes a node with warnings for connected with warnings, and tells of no next step", () => {
    const standing = standingOf({ ...record, warnings: ["inbound a: no"] }, { ...actor, wakeAt: 900 });
    expect(standing).toMatchObject({ case: "warned", wakeAt: null });
  });

  it("names both keys of a node that presents another one", () => {
    const standing = standingOf({ ...record, status: "error", message: MISMATCH }, { ...actor, state: "error.mismatched" });
    expect(standing).toMatchObject({ case: "mismatched", prints: { presented: "bbb=", pinned: "a+/a=" } });
    expect(printsIn("connect ECONNREFUSED")).toBeUndefined();
  });

  it("does with the record alone where actors may not be read", () => {
    expect(standingOf({ ...record, status: "error", message: MISMATCH }).case).toBe("mismatched");
    expect(standingOf({ ...record, status: "disabled", limitDisabled: true }).case).toBe("limit");
    expect(standingOf({ ...record, status: "disabled" }).case).toBe("off");
    expect(standingOf({ ...record, status: "connecting" })).toMatchObject({ case: "dialing", since: 100 });
  });
});

describe("since when a node is out of reach", () => {
  const entry = (at: number, from: string | null, to: string) => ({ at, from, to });
  const retries = [
    entry(60, "linked.connecting.dialing", "error.waiting"),
    entry(59, "error.waiting", "linked.connecting.dialing"),
    entry(50, "linked.connected", "error.waiting"),
  ];

  it("is when the connection was lost, not when the last try failed", () => {
    expect(unreachedSince([...retries, entry(10, "linked.connecting.syncing", "linked.connected")], false)).toBe(50);
  });

  it("is the beginning for a node that was never reached", () => {
    expect(
      unreachedSince([entry(3, "linked.connecting.dialing", "error.waiting"), entry(1, null, "linked.connecting.dialing")], true),
    ).toBe(1);
  });

  it("is unknown where the journal read ends before it", () => {
    expect(unreachedSince(retries, false)).toBeUndefined();
  });

  it("comes with the number of tries that failed since", () => {
    expect(attemptsIn([{ changed: {} }, { changed: { attempt: [6, 7] } }, { changed: { attempt: [5, 6] } }])).toBe(7);
    expect(attemptsIn([])).toBe(0);
  });
});
