// While the engine is at a change, an agent says what was carried out before, with the warnings of before: never the
// one without the other.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PanelParams } from "../../src/protocol/messages.ts";
import { agentFixture, inbound, planUser } from "./fixture.ts";
import type { AgentFixture } from "./fixture.ts";
import { dial } from "./panel.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

const first = { revision: 1, objects: { put: inbound(1), drop: [] }, users: { put: [planUser(1)] } };

test.each<[string, PanelParams<"state.apply">]>([
  ["of users", { revision: 2, users: { put: [planUser(2)] } }],
  ["of the structure", { revision: 2, objects: { put: inbound(2), drop: [] } }],
])("a change %s is in greeting and heartbeats only once it is carried out", async (_, change) => {
  const { port } = await fixture.start();
  const old = await dial(port, fixture.panel.client);
  await old.hello(1);
  fixture.engine.warnings = ["of before"];
  const before = (await old.peer.call("state.apply", first)).applied;
  const held = fixture.engine.hold();
  fixture.engine.warnings = ["of now"];
  const lost = Promise.allSettled([old.peer.call("state.apply", change)]);
  await held.reached;
  const next = await dial(port, fixture.panel.client);
  const beat = next.heartbeat();
  expect(await next.hello(2)).toMatchObject({ applied: before, warnings: ["of before"] });
  expect(await beat).toMatchObject({ applied: before, warnings: ["of before"] });
  // A panel that compares sees that nothing is left to send.
  const digests = await next.peer.call("state.digests", {});
  const report = next.peer.call("state.report", {});
  held.release();
  const { applied, warnings } = await report;
  expect({ revision: applied.revision, warnings }).toEqual({ revision: 2, warnings: ["of now"] });
  expect(applied).not.toEqual({ ...before, revision: 2 });
  expect(await next.peer.call("state.digests", {})).toEqual(digests);
  fixture.engine.context?.onStatus({ state: "running" });
  expect(await next.heartbeat()).toMatchObject({ applied, warnings });
  await lost;
});

test("an agent that starts carries nothing until the engine has what was stored", async () => {
  const before = await fixture.start();
  const link = await dial(before.port, fixture.panel.client);
  const { applied: nothing } = await link.hello(1);
  fixture.engine.warnings = ["inbound in-1 is not served"];
  const { applied } = await link.peer.call("state.apply", first);
  await before.stop();
  const held = fixture.engine.hold();
  const after = await fixture.start();
  await held.reached;
  const again = await dial(after.port, fixture.panel.client);
  expect(await again.hello(1)).toMatchObject({ applied: nothing, warnings: [] });
  const report = again.peer.call("state.report", {});
  held.release();
  expect(await report).toMatchObject({ applied, warnings: ["inbound in-1 is not served"] });
});

test("what the engine refuses at the start stands, and the report says that it is refused", async () => {
  const before = await fixture.start();
  const link = await dial(before.port, fixture.panel.client);
  await link.hello(1);
  const { applied } = await link.peer.call("state.apply", first);
  await before.stop();
  fixture.engine.refuses = "port 443 is taken";
  const after = await fixture.start();
  await after.ready;
  const again = await dial(after.port, fixture.panel.client);
  expect(await again.hello(1)).toMatchObject({ applied, engine: { state: "failed", message: "port 443 is taken" } });
});
