// The desired state: applied in order, on disk, digests as the panel computes them.
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  digestBuckets,
  digestObjects,
  digestStructure,
  digestUser,
  EMPTY_BUCKET,
  formatBucket,
} from "../../src/protocol/digest.ts";
import { RpcErrorCode } from "../../src/protocol/messages.ts";
import { agentFixture, inbound, planUser } from "./fixture.ts";
import type { AgentFixture } from "./fixture.ts";
import { dial } from "./panel.ts";
import type { PanelLink } from "./panel.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

async function connect(): Promise<PanelLink> {
  const { port } = await fixture.start();
  const link = await dial(port, fixture.panel.client);
  await link.hello(1);
  return link;
}

function expectedUsers(ids: readonly number[]): string {
  const xor = Array.from({ length: 256 }, () => 0n);
  for (const id of ids) xor[id % 256] = (xor[id % 256] ?? 0n) ^ digestUser(planUser(id));
  return digestBuckets(xor.map(formatBucket));
}

test("digests after an apply are those of what was sent", async () => {
  const link = await connect();
  const structure = { ...inbound(1), ...inbound(2) };
  const { applied, engine } = await link.peer.call("state.apply", {
    revision: 5,
    objects: { put: structure, drop: [] },
    users: { buckets: { "1": [planUser(1), planUser(257)], "2": [planUser(2)] } },
  });
  expect(applied).toEqual({
    revision: 5,
    structure: digestStructure(digestObjects(structure)),
    users: expectedUsers([1, 2, 257]),
  });
  expect(engine.state).toBe("running");
  const digests = await link.peer.call("state.digests", {});
  expect(digests.objects).toEqual(digestObjects(structure));
  expect(digests.buckets[3]).toBe(EMPTY_BUCKET);
});

test("a change of users takes the engine's fast path, and only what differs reaches it", async () => {
  const link = await connect();
  await link.peer.call("state.apply", {
    revision: 1,
    objects: { put: inbound(1), drop: [] },
    users: { put: [planUser(1), planUser(2), planUser(3)] },
  });
  await link.peer.call("state.apply", {
    revision: 2,
    users: { buckets: { "1": [planUser(1)], "2": [] }, put: [planUser(4), planUser(3)], drop: [99] },
  });
  await link.peer.call("state.apply", {
    revision: 3,
    objects: { put: inbound(1), drop: ["inbound:9"] },
    users: { put: [planUser(4)] },
  });
  expect(fixture.engine.calls).toEqual(["apply inbound:1", "users +4 -2"]);
  const { applied } = await link.peer.call("state.apply", { revision: 4 });
  expect(applied).toMatchObject({ revision: 4, users: expectedUsers([1, 3, 4]) });
});

// rule agents.engine.5
test("what the engine refuses is taken back and said", async () => {
  const link = await connect();
  const before = (
    await link.peer.call("state.apply", {
      revision: 1,
      objects: { put: inbound(1), drop: [] },
      users: { put: [planUser(1)] },
    })
  ).applied;
  fixture.engine.refuses = "port 443 is taken";
  const failed = link.heartbeat((heartbeat) => heartbeat.engine.state === "failed");
  const change = {
    revision: 2,
    objects: { put: inbound(2), drop: ["inbound:1"] },
    users: { put: [planUser(2)], drop: [1] },
  };
  await expect(link.peer.call("state.apply", change)).rejects.toMatchObject({
    code: RpcErrorCode.engine,
    message: "port 443 is taken",
  });
  expect((await failed).applied).toEqual(before);
  expect((await failed).engine.message).toBe("port 443 is taken");
  fixture.engine.refuses = "";
  const { applied, engine } = await link.peer.call("state.apply", change);
  expect(applied).toMatchObject({ revision: 2, users: expectedUsers([2]) });
  expect(engine.state).toBe("running");
});

test("a state that contradicts itself is refused naming the place", async () => {
  const link = await connect();
  const object = inbound(1)["inbound:1"];
  if (object === undefined) throw new Error("fixture");
  await expect(
    link.peer.call("state.apply", { revision: 1, objects: { put: { "inbound:2": object }, drop: [] } }),
  ).rejects.toThrow(/objects\.put\["inbound:2"\]/);
  await expect(
    link.peer.call("state.apply", { revision: 1, users: { buckets: { "7": [planUser(8)] } } }),
  ).rejects.toThrow(/users\.buckets\[7\] holds user 8/);
  await expect(link.peer.call("state.apply", { revision: 1, users: { buckets: { "256": [] } } })).rejects.toThrow(
    /no bucket 256/,
  );
});

test("warnings are those of the last change, in the answer and in heartbeats", async () => {
  const link = await connect();
  fixture.engine.warnings = ["inbound in-1 is not served"];
  await link.peer.call("state.apply", { revision: 1, objects: { put: inbound(1), drop: [] } });
  fixture.engine.warnings = ["user 1 is not served"];
  const beat = link.heartbeat((heartbeat) => heartbeat.warnings.includes("user 1 is not served"));
  const { warnings } = await link.peer.call("state.apply", { revision: 2, users: { put: [planUser(1)] } });
  expect(warnings).toEqual(["user 1 is not served"]);
  fixture.engine.context?.onStatus({ state: "running" });
  expect((await beat).warnings).toEqual(warnings);
});

// rule agents.engine.2
test("a restarted agent serves what was stored, without its panel", async () => {
  const link = await connect();
  const users = Array.from({ length: 2500 }, (_, index) => planUser(index + 1));
  await link.peer.call("state.apply", { revision: 3, objects: { put: inbound(1), drop: [] }, users: { put: users } });
  const { applied } = await link.peer.call("state.apply", { revision: 4, users: { drop: [1, 2] } });
  await fixture.agents[0]?.stop();
  expect(fixture.engine.closed).toBe("stop");
  fixture.engine.calls.length = 0;
  const second = await fixture.start();
  await second.ready;
  expect(fixture.engine.calls).toEqual(["apply inbound:1"]);
  expect(fixture.engine.served).toHaveLength(2498);
  const again = await dial(second.port, fixture.panel.client);
  expect((await again.hello(1)).applied).toEqual(applied);
});

test("engine.stop ends the engine and forgets the state for good", async () => {
  const link = await connect();
  const empty = (await link.peer.call("state.apply", { revision: 0 })).applied;
  await link.peer.call("state.apply", {
    revision: 3,
    objects: { put: inbound(1), drop: [] },
    users: { put: [planUser(1)] },
  });
  expect(await link.peer.call("engine.stop", {})).toEqual({ stopped: true });
  expect(fixture.engine.closed).toBe("stop");
  await fixture.agents[0]?.stop();
  fixture.engine.calls.length = 0;
  const second = await fixture.start();
  await second.ready;
  expect(fixture.engine.calls).toEqual([]);
  expect((await (await dial(second.port, fixture.panel.client)).hello(1)).applied).toEqual(empty);
});

test("a replaced writer's change that waits its turn is not carried out", async () => {
  const { port } = await fixture.start();
  const old = await dial(port, fixture.panel.client);
  await old.hello(1);
  const held = fixture.engine.hold();
  const first = old.peer.call("state.apply", { revision: 1, users: { put: [planUser(1)] } });
  const late = old.peer.call("state.apply", { revision: 2, users: { put: [planUser(2)] } });
  const results = Promise.allSettled([first, late]);
  await held.reached;
  const next = await dial(port, fixture.panel.client);
  await next.hello(2);
  held.release();
  await results;
  await next.peer.call("state.apply", { revision: 3, users: { put: [planUser(3)] } });
  expect(fixture.engine.served).toEqual([1, 3]);
});
