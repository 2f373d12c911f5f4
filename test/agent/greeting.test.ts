// hello, the fence and the one writer.
import { afterEach, beforeEach, expect, test } from "vitest";
import { RpcErrorCode } from "../../src/protocol/messages.ts";
import { agentFixture } from "./fixture.ts";
import type { AgentFixture } from "./fixture.ts";
import { dial, makePanelIdentity } from "./panel.ts";
import { writeFile } from "node:fs/promises";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

// rule agents.hello.1
test("nothing is answered before hello, and hello is said once", async () => {
  const { port } = await fixture.start();
  const link = await dial(port, fixture.panel.client);
  await expect(link.peer.call("state.digests", {})).rejects.toMatchObject({ code: RpcErrorCode.invalidRequest });
  await expect(link.peer.call("state.apply", { revision: 1 })).rejects.toMatchObject({
    code: RpcErrorCode.invalidRequest,
  });
  await link.hello(1);
  await expect(link.hello(1)).rejects.toMatchObject({ code: RpcErrorCode.invalidRequest });
});

// rule agents.hello.2
test("a newer protocol is answered with the one this agent speaks", async () => {
  const { port } = await fixture.start();
  expect((await (await dial(port, fixture.panel.client)).hello(1, { protocol: 9 })).protocol).toBe(1);
});

// rule agents.hello.6
test("the first heartbeat follows hello at once and names what is applied", async () => {
  const { port } = await fixture.start();
  const link = await dial(port, fixture.panel.client);
  const first = link.heartbeat();
  const { applied } = await link.hello(1);
  const heartbeat = await first;
  expect(heartbeat.applied).toEqual(applied);
  expect(heartbeat.live.memoryTotal).toBeGreaterThan(0);
  expect(heartbeat.live.diskTotal).toBeGreaterThan(0);
});

// rule agents.hello.3
test("a smaller fence is refused, also after a restart of the agent", async () => {
  const first = await fixture.start();
  await (await dial(first.port, fixture.panel.client)).hello(7);
  const old = await dial(first.port, fixture.panel.client);
  await expect(old.hello(6)).rejects.toMatchObject({
    code: RpcErrorCode.fenced,
    message: "fence 6 is smaller than 7, which this agent has seen",
  });
  await first.stop();
  const second = await fixture.start();
  await expect((await dial(second.port, fixture.panel.client)).hello(6)).rejects.toMatchObject({
    code: RpcErrorCode.fenced,
  });
  expect((await (await dial(second.port, fixture.panel.client)).hello(7)).protocol).toBe(1);
});

// rule agents.hello.3
test("another panel's fence begins anew", async () => {
  const { port } = await fixture.start();
  await (await dial(port, fixture.panel.client)).hello(1000);
  const other = await makePanelIdentity("other");
  await writeFile(fixture.trustFile, other.trust);
  expect((await (await dial(port, other.client)).hello(1)).protocol).toBe(1);
});

// rule agents.hello.4
test("a new writer replaces the one before; a reader replaces nobody", async () => {
  const { port } = await fixture.start();
  const first = await dial(port, fixture.panel.client);
  await first.hello(1);
  const reader = await dial(port, fixture.panel.client);
  await reader.hello(0, { readOnly: true });
  expect((await first.peer.call("state.digests", {})).buckets).toHaveLength(256);
  const second = await dial(port, fixture.panel.client);
  await second.hello(2);
  expect(await first.peer.closed).toMatchObject({ code: 4001 });
  expect(reader.peer.open).toBe(true);
});

// rules agents.hello.4, agents.engine.11
test("readers may ask but not change, and get no heartbeats", async () => {
  const { port } = await fixture.start({ heartbeatMs: 20 });
  const reader = await dial(port, fixture.panel.client);
  await reader.hello(0, { readOnly: true });
  const writer = await dial(port, fixture.panel.client);
  const beat = writer.heartbeat();
  await writer.hello(1);
  await writer.peer.call("state.apply", { revision: 1 });
  expect(await reader.peer.call("sessions.list", { limit: 1 })).toMatchObject({
    supported: true,
    total: 2,
    truncated: true,
  });
  expect((await reader.peer.call("addresses.list", {})).rows).toHaveLength(1);
  expect(await writer.peer.call("rules.set", { ipLimitNewest: true })).toEqual({});
  for (const refused of [
    reader.peer.call("state.apply", { revision: 1 }),
    reader.peer.call("engine.stop", {}),
    reader.peer.call("rules.set", { ipLimitNewest: false }),
  ]) {
    await expect(refused).rejects.toThrow("this connection is read-only");
  }
  await beat;
  await writer.heartbeat();
  expect(reader.heartbeats).toEqual([]);
});
