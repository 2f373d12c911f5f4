// Two holders of one node on a real agent: the larger token takes over, and what the older one still says changes
// nothing.
import { afterEach, beforeEach, expect, test } from "vitest";
import { CloseCode, RpcErrorCode } from "../../src/protocol/messages.ts";
import { agentFixture, inbound, planUser, type AgentFixture } from "./fixture.ts";
import { dial, UsageBook } from "./panel.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());
const serving = { revision: 1, objects: { put: inbound(1), drop: [] }, users: { put: [planUser(5)], drop: [] } };

test("an older holder's link ends when a larger token says hello, and it cannot come back with its own", async () => {
  const { port } = await fixture.start();
  const old = await dial(port, fixture.panel.client);
  await old.hello(1);
  await old.peer.call("state.apply", serving);
  const next = await dial(port, fixture.panel.client);
  const { applied } = await next.hello(2);
  expect(await old.peer.closed).toMatchObject({ code: CloseCode.replaced });
  const again = await dial(port, fixture.panel.client);
  await expect(again.hello(1)).rejects.toMatchObject({ code: RpcErrorCode.fenced });
  expect((await next.peer.call("state.report", {})).applied).toEqual(applied);
});

// rule agents.hello.5
test("a change that an older holder asked for is not carried out once a larger token was shown, also when it waits for its turn", async () => {
  const { port } = await fixture.start();
  const old = await dial(port, fixture.panel.client);
  await old.hello(1);
  const held = fixture.engine.hold();
  const first = old.peer.call("state.apply", serving).catch(() => "cut off");
  await held.reached;
  const second = old.peer.call("state.apply", { revision: 2, users: { put: [planUser(6)] } }).catch(() => "cut off");
  // Answered in order: the second change waits in the agent by now.
  await old.peer.call("state.digests", {});
  const next = await dial(port, fixture.panel.client);
  await next.hello(2);
  held.release();
  expect(await Promise.all([first, second])).toEqual(["cut off", "cut off"]);
  expect((await next.peer.call("state.report", {})).applied.revision).toBe(1);
  expect(fixture.engine.served).toEqual([5]);
});

test("an older holder's late acknowledgement leaves the ledger to the new one", async () => {
  const { port } = await fixture.start();
  const asked = Promise.withResolvers<number>();
  const answer = Promise.withResolvers<{ acknowledged: number }>();
  const slow = new UsageBook();
  slow.take = (batch) => {
    asked.resolve(batch.seq);
    return answer.promise as Promise<never>;
  };
  const old = await dial(port, fixture.panel.client, slow);
  await old.hello(1);
  await old.peer.call("state.apply", serving);
  fixture.engine.move("5.1", 100, 200);
  const seq = await asked.promise;
  const book = new UsageBook();
  const next = await dial(port, fixture.panel.client, book);
  await next.hello(2);
  answer.resolve({ acknowledged: seq });
  await expect.poll(() => book.totals.get(5)).toBe(300);
});

test("readers report, and close sessions, beside the holder", async () => {
  const { port } = await fixture.start();
  const holder = await dial(port, fixture.panel.client);
  await holder.hello(3);
  const { applied } = await holder.peer.call("state.apply", serving);
  const reader = await dial(port, fixture.panel.client);
  await reader.hello(0, { readOnly: true });
  expect(await reader.peer.call("state.report", {})).toMatchObject({ applied, warnings: [] });
  expect(await reader.peer.call("sessions.close", { userId: 5 })).toMatchObject({ supported: true });
  expect(holder.peer.open).toBe(true);
});

test("readers that were left open do not keep a holder out", async () => {
  const { port } = await fixture.start();
  const readers = await Promise.all(Array.from({ length: 32 }, () => dial(port, fixture.panel.client)));
  for (const reader of readers) await reader.hello(0, { readOnly: true });
  const holder = await dial(port, fixture.panel.client);
  await holder.hello(1);
  expect(holder.peer.open).toBe(true);
  await expect.poll(() => readers.filter(({ peer }) => !peer.open).length).toBe(1);
});
