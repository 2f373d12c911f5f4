// Sides of different versions: what one has not named is not sent to it, and what it does not know is ignored.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownPart, structureOf } from "../../src/fleet/desired/structure.ts";
import { DesiredStructure, StructurePart, wanted } from "../../src/fleet/desired/structure-part.ts";
import { understoodBy } from "../../src/fleet/desired/understood.ts";
import { ABILITIES, BASE, OWN_ABILITIES, understandingOf } from "../../src/protocol/abilities.ts";
import { agentMethods, panelMethods, RpcErrorCode } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import { PlanObject } from "../../src/protocol/plan.ts";
import { socketPair, type SocketPair } from "./sockets.ts";

const listed = (what: "methods" | "objects"): string[] => [
  ...BASE[what],
  ...Object.values<{ methods?: readonly string[]; objects?: readonly string[] }>(ABILITIES).flatMap(
    (ability) => ability[what] ?? [],
  ),
];

test("every method and every kind of object is of the base, or of exactly one ability", () => {
  const kinds = PlanObject.options.map((option) => option.shape.kind.value);
  expect(listed("methods").toSorted()).toEqual([...Object.keys(panelMethods), ...Object.keys(agentMethods)].toSorted());
  expect(listed("objects").toSorted()).toEqual(kinds.toSorted());
});

test("the base is what the first versions understand: it never changes", () => {
  expect(BASE).toMatchInlineSnapshot(`
    {
      "methods": [
        "hello",
        "state.digests",
        "state.report",
        "state.apply",
        "sessions.list",
        "sessions.close",
        "addresses.list",
        "engine.stop",
        "heartbeat",
        "usage",
      ],
      "objects": [
        "inbound",
        "outbound",
        "route",
        "core",
      ],
    }
  `);
});

test("abilities that this version does not know are of no use here", () => {
  const own = understandingOf([...OWN_ABILITIES, "of a newer version"]);
  expect([own.method("rules.set"), own.method("of a newer version")]).toEqual([true, false]);
  expect([understandingOf([]).method("rules.set"), understandingOf([]).method("state.apply")]).toEqual([false, true]);
});

describe("a peer", () => {
  let pair: SocketPair;
  beforeEach(async () => {
    pair = await socketPair();
  });
  afterEach(() => pair.close());
  const panelOn = (socket: SocketPair["client"]) =>
    createPeer({
      socket,
      handles: agentMethods,
      handlers: { heartbeat: () => null, usage: ({ seq }) => ({ acknowledged: seq }) },
      timeoutMs: 2000,
    });

  test("sends nothing that the other side has not named", async () => {
    const heard: string[] = [];
    pair.server.on("message", (data: Buffer) => heard.push(String(data)));
    const peer = panelOn(pair.client);
    await expect(peer.call("rules.set", { ipLimitNewest: true })).rejects.toMatchObject({
      code: RpcErrorCode.unsupported,
      message: "rules.set: the other side is too old for it",
    });
    expect(peer.open).toBe(true);
    peer.named(["rules"]);
    void peer.call("rules.set", { ipLimitNewest: true }).catch(() => {});
    await expect.poll(() => heard.map((text) => JSON.parse(text).method)).toEqual(["rules.set"]);
    // Another greeting on the connection, by an older agent.
    peer.named();
    expect(peer.understands.method("rules.set")).toBe(false);
  });

  test("ignores fields that it does not know, in calls and in answers", async () => {
    const peer = panelOn(pair.client);
    const answered = new Promise<unknown>((resolve) =>
      pair.server.on("message", (data: Buffer) => {
        const { id, method, result } = JSON.parse(String(data));
        if (method === "engine.stop")
          pair.server.send(JSON.stringify({ jsonrpc: "2.0", id, result: { stopped: true, later: 1 }, later: 1 }));
        else resolve(result);
      }),
    );
    expect(await peer.call("engine.stop", {})).toEqual({ stopped: true });
    const batch = { bootId: "6f2b3f0e-3f1e-4c58-9d0c-0a7c3d3a3f11", seq: 7, from: 1, to: 2, rows: [], up: 0, down: 0 };
    pair.server.send(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "usage", params: { ...batch, later: 1 }, later: 1 }),
    );
    expect(await answered).toEqual({ acknowledged: 7 });
    expect(peer.open).toBe(true);
  });
});

test("every message takes fields that it does not know", () => {
  const hello = { protocol: 1, panelVersion: "1", nodeId: 1, fence: 1, readOnly: false };
  const inbound = { kind: "inbound", id: 1, tag: "in", type: "socks", config: {} };
  const apply = { revision: 1, objects: { put: { "inbound:1": { ...inbound, later: 1 } }, drop: [] }, later: 1 };
  expect(panelMethods.hello.params.parse({ ...hello, later: 1 })).toEqual(hello);
  expect(panelMethods["state.apply"].params.parse(apply).objects?.put).toEqual({ "inbound:1": inbound });
  const notice = { code: "later", values: [], detail: "later", kind: "tunnel", tag: "" };
  const heartbeat = {
    at: 1,
    live: { later: 1 },
    engine: { kind: "none", version: "", state: "running", message: "", restarts: 0, later: 1 },
    applied: { revision: 0, structure: "0".repeat(32), users: "0".repeat(32), later: 1 },
    warnings: ["later"],
    notices: [notice],
    online: 0,
  };
  expect(agentMethods.heartbeat.params.parse(heartbeat)).toMatchObject({
    live: {},
    notices: [{ ...notice, kind: "" }],
  });
});

// rule nodes.warnings.7
test("an object of a kind that the agent has not named is left out, and its node says so", () => {
  const socks = { id: 1, tag: "in", type: "socks", config: { listen_port: 1080 } };
  const known = structureOf({ route: null, core: null, inbounds: [socks], outbounds: [] }, null);
  const later = { kind: "tunnel", tag: "relay" } as unknown as PlanObject;
  const part = new StructurePart(new Map([...known.shared.entries, ["tunnel:relay", wanted(later)]]));
  const node = { templateId: 1, structure: new DesiredStructure(part) };
  const abilities = { tunnels: { says: "carries tunnels", objects: ["tunnel"] } };
  const old = understoodBy(understandingOf([], abilities), node);
  expect(old.templateId).toBe(1);
  expect([...old.structure.objects()]).toEqual([...known.objects()]);
  expect(old.structure.digest).toBe(known.digest);
  expect(old.structure.notices).toEqual([
    {
      code: "agent_too_old",
      values: ["tunnel:relay"],
      detail: "tunnel:relay is left out: the node's agent is too old for it, update the agent",
      kind: "",
      tag: "",
    },
  ]);
  expect(understoodBy(understandingOf(["tunnels"], abilities), node)).toBe(node);
  // Nodes with old agents share a part like the others.
  const own = { templateId: 1, structure: new DesiredStructure(part, ownPart({ final: "relay" })) };
  const ownOld = understoodBy(understandingOf([], abilities), own);
  expect(ownOld.structure.shared).toBe(old.structure.shared);
  expect(ownOld.structure.own).toBe(own.structure.own);
});
