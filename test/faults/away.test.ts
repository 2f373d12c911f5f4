// PostgreSQL goes away and comes back: killed without a checkpoint, for ten seconds (SIGNALBOX_OUTAGE_SECONDS for
// longer). The panel refuses, waits without work, and goes on by itself.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { E2ePanel } from "../e2e/panel.ts";
import { startStopwatch } from "../stopwatch.ts";
import { expectHonestAnswers, expectOneOutageInLog, expectWhole } from "./expectations.ts";
import { Load } from "./load.ts";
import { cpuSeconds, startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";
import { Traffic } from "./traffic.ts";

const OUTAGE_S = Number(process.env["SIGNALBOX_OUTAGE_SECONDS"] ?? 10);

describe.skipIf(!canHarmPostgres)("a PostgreSQL that goes away", () => {
  let cluster: Cluster;
  let panel: E2ePanel;
  let traffic: Traffic;
  beforeAll(async () => {
    cluster = await Cluster.start();
    panel = await startFaultyPanel({ databaseUrl: await createDatabase(cluster, "panel") });
    traffic = await Traffic.start(panel);
  });
  afterAll(async () => {
    await traffic?.stop();
    await panel?.dispose();
    await cluster?.dispose();
  });
  const healthz = async () => (await fetch(`${panel.url}/healthz`)).status;

  // rule process.health.2
  it("killed and started again", { timeout: 300_000 + OUTAGE_S * 2000 }, async () => {
    const load = new Load(panel.api);
    await expect.poll(() => load.answered).toBeGreaterThan(20);
    const from = panel.output.length;

    await cluster.stop("immediate");
    await expect.poll(healthz).toBe(503);
    // The first moments are spent on what was under way.
    await pause(1500);
    const [gone, cpu] = [Date.now(), cpuSeconds(panel.pid)];
    await pause(OUTAGE_S * 1000);
    const during = load.since(gone);
    const used = cpuSeconds(panel.pid) - cpu;
    console.info(`${during.length} requests during ${OUTAGE_S} s without a database, ${used.toFixed(2)} s of CPU`);
    expect(during.length).toBeGreaterThan(OUTAGE_S * 4);
    expect(during.filter(({ status }) => status !== 503)).toEqual([]);
    // Requests cost; what goes on by itself must not.
    expect(used).toBeLessThan(0.1 * OUTAGE_S + during.length * 0.004);

    await cluster.start();
    await expect.poll(healthz).toBe(200);
    const well = Date.now();
    await expect.poll(() => load.since(well + 1000).length).toBeGreaterThan(50);
    await load.stop();
    expect(Load.statuses(load.since(well))).toEqual({ 200: expect.any(Number) });
    expectHonestAnswers(load.told);
    expect(await load.differences(false)).toEqual([]);
    await expectWhole(panel.databaseUrl);
    expectOneOutageInLog(panel, from);
    await traffic.connected();
  });

  it("alone, the panel is idle while it waits", async () => {
    await cluster.stop("fast");
    await expect.poll(healthz).toBe(503);
    await pause(3000);
    const cpu = cpuSeconds(panel.pid);
    await pause(5000);
    const used = cpuSeconds(panel.pid) - cpu;
    console.info(`idle during an outage: ${used.toFixed(2)} s of CPU in 5 s`);
    expect(used).toBeLessThan(0.5);
    await cluster.start();
    await expect.poll(healthz).toBe(200);
  });

  it("a panel that is told to stop meanwhile stops", async () => {
    await cluster.stop("immediate");
    await expect.poll(healthz).toBe(503);
    const elapsed = startStopwatch();
    expect(await panel.stop()).toEqual({ code: 0, signal: null });
    console.info(`stopped within ${Math.round(elapsed())} ms without a database`);
    expect(elapsed()).toBeLessThan(20_000);
    await cluster.start();
    await panel.start();
  });

  it("a panel that begins anew meanwhile waits for it", async () => {
    const { pid } = panel;
    const from = panel.output.length;
    await (await panel.logIn()).ok("POST", "/restart");
    await cluster.stop("immediate");
    await expect.poll(() => panel.output.slice(from)).toContain("the panel waits for its database to begin anew");
    await cluster.start();
    await expect.poll(() => panel.output.slice(from)).toMatch(/Signalbox listens on/);
    expect(panel.pid).toBe(pid);
    expect(await healthz()).toBe(200);
  });

  it("no usage is lost or counted twice over it", async () => {
    await traffic.connected();
    await traffic.settle();
    expect((await panel.stop()).code).toBe(0);
  });
});
