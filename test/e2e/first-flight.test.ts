// The first hour of a new user: from an empty directory to downloads through the proxy, a reached limit and a raised
// one.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NodeView } from "../../src/fleet/nodes/node.schema.ts";
import { Verdict } from "../../src/subscriptions/verdict/verdict.schema.ts";
import { dialects } from "../database.ts";
import { findV2ray } from "../agent/engines/rig.ts";
import { Events, type UserAnswer } from "./api.ts";
import { afterQuiet, startStopwatch } from "../stopwatch.ts";
import type { ProxyClient } from "./client.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";

const MB = 1_000_000;
const Progress = NodeView.pick({ revision: true, applied: true, appliedAt: true });
const v2ray = await findV2ray();

const flights = [
  { engine: "embedded", dialect: "sqlite" },
  { engine: "v2ray", dialect: dialects.at(-1) ?? "sqlite" },
] as const;

describe.skipIf(!v2ray).each(flights)("a first flight with the engine $engine on $dialect", ({ engine, dialect }) => {
  let panel: E2ePanel;
  let node: LocalNode;
  let ann: UserAnswer;
  let bob: UserAnswer;
  let annsClient: ProxyClient;
  let bobsClient: ProxyClient;
  const soon = (look: () => unknown) => expect.poll(look, { interval: 50 });

  beforeAll(async () => {
    panel = await startPanel({ engine, dialect });
  });
  afterAll(() => panel?.dispose());

  it("connects the local node by itself", async () => {
    node = await panel.makeLocalNode();
    await panel.serves(node.id);
    expect((await panel.api.node(node.id)).warnings).toEqual([]);
  });

  it("serves a new user from the subscription, and counts what was downloaded", async () => {
    ann = await panel.makeUser("ann");
    bob = await panel.makeUser("bob");
    annsClient = await panel.clientOf(ann);
    bobsClient = await panel.clientOf(bob);
    await panel.download(annsClient, 5 * MB).finished;
    await soon(() => panel.api.used(ann.id)).toBeGreaterThanOrEqual(5 * MB);
    expect(await panel.api.used(ann.id)).toBeLessThanOrEqual(5 * MB * 1.02);
    expect(await panel.api.used(bob.id)).toBe(0);
  });

  // rule users.move.2
  it("refuses new connections within 5 s of the volume being used up, and disturbs nobody else", async () => {
    await panel.api.ok("POST", `/users/${ann.id}/reset-usage`);
    await panel.api.ok("PATCH", `/users/${ann.id}`, { volume: 10 * MB });
    const bobs = panel.download(bobsClient, 7 * MB, MB);
    const anns = panel.download(annsClient, 20 * MB, 4 * MB);
    expect(await anns.reached(10 * MB)).toBe(true);
    const sinceLimit = startStopwatch();
    await soon(() => refused(panel, annsClient)).toBe(true);
    const took = Math.round(sinceLimit());
    expect(took).toBeLessThan(5000);
    console.info(`refused ${took} ms after the limit, ${anns.received} bytes got through`);
    await soon(async () => (await panel.api.user(ann.id)).disabledReason).toBe("volume");
    await bobs.finished;
    expect(bobs.longestGap).toBeLessThan(1500);
  });

  it("serves again as soon as the volume is raised", async () => {
    await panel.api.ok("PATCH", `/users/${ann.id}`, { volume: 100 * MB });
    await soon(() => refused(panel, annsClient)).toBe(false);
    await panel.download(annsClient, MB).finished;
    expect(await panel.api.user(ann.id)).toMatchObject({ enable: true, disabledReason: "" });
  });

  it("starts a plan's clock with its first traffic, and ends an account on its date", async () => {
    const planned = await panel.makeUser("planned", { duration: 3600 });
    expect(planned).toMatchObject({ activatedAt: 0, enable: true });
    const ending = await panel.makeUser("ending");
    const endingClient = await panel.clientOf(ending);
    await panel.download(await panel.clientOf(planned), MB).finished;
    await panel.download(endingClient, 1000).finished;
    await panel.api.ok("PATCH", `/users/${ending.id}`, { expiry: Math.floor(Date.now() / 1000) + 3 });
    await soon(async () => (await panel.api.user(planned.id)).activatedAt).toBeGreaterThan(0);
    const { activatedAt, expiry } = await panel.api.user(planned.id);
    expect(expiry).toBe(activatedAt + 3600);
    await soon(async () => (await panel.api.user(ending.id)).disabledReason).toBe("expiry");
    await soon(() => refused(panel, endingClient)).toBe(true);
    const names = Events.parse(await panel.api.ok("GET", "/events/log?limit=1000")).items.map(({ event }) => event);
    for (const name of ["user.activated", "user.expired", "user.quota_reached", "user.enabled"])
      expect(names).toContain(name);
  });

  // rules users.verdict.4, nodes.sync.3, nodes.status.11
  it("believes of an agent that says nothing only what it acknowledged, while its engine may serve on", async () => {
    const [agent] = panel.leftovers().filter(({ command }) => /\/main\.(ts|mjs) agent /.test(command));
    if (!agent) throw new Error("the local agent has no process");
    const applied = async () => {
      const answer = Verdict.parse(await panel.api.ok("GET", `/users/${ann.id}/verdict`));
      return { ok: answer.ok, applied: answer.checks.find(({ check }) => check === "applied") };
    };
    const progress = async () => Progress.parse(await panel.api.ok("GET", `/nodes/${node.id}`));
    await soon(applied).toMatchObject({ ok: true, applied: { state: "ok" } });
    process.kill(agent.pid, "SIGSTOP");
    try {
      await panel.api.ok("PATCH", `/users/${ann.id}`, { config: { uuid: randomUUID() } });
      const found = await applied();
      const record = await progress();
      expect(record.revision).toBeGreaterThan(record.applied);
      expect(found).toMatchObject({
        ok: false,
        applied: { state: "failed", code: "unacknowledged", values: [1, 1, "here"], since: record.appliedAt },
      });
      expect((await panel.api.request("POST", `/api/v1/nodes/${node.id}/sync`)).status).toBe(502);
      if (engine === "v2ray") await panel.download(bobsClient, MB).finished;
    } finally {
      process.kill(agent.pid, "SIGCONT");
    }
    await soon(applied).toMatchObject({ ok: true, applied: { state: "ok" } });
    const synced = await panel.api.ok("POST", `/nodes/${node.id}/sync`);
    const { revision, applied: acknowledged } = await progress();
    expect(acknowledged).toBe(revision);
    expect(synced).toMatchObject({ applied: true, revision });
  });

  it("ends everything with a clean stop", async () => {
    expect(await panel.stop()).toEqual({ code: 0, signal: null });
    expect(panel.leftovers()).toEqual([]);
  });
});

/** Whether a new connection gets nothing. */
async function refused(panel: E2ePanel, client: ProxyClient): Promise<boolean> {
  const attempt = panel.download(client, 1000);
  let giveUp: () => void = () => undefined;
  const late = new Promise<false>((resolve) => (giveUp = afterQuiet(1000, () => resolve(false))));
  const arrived = await Promise.race([attempt.reached(1000), late]);
  giveUp();
  attempt.stop();
  return !arrived;
}
