// The disk under the database fills up while the panel works, and is emptied again: changes are refused meanwhile,
// reads are not, and nobody has to do anything.
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { E2ePanel } from "../e2e/panel.ts";
import { mountSmallDisk, type SmallDisk } from "./disk.ts";
import { expectHonestAnswers, expectOneOutageInLog, expectWhole } from "./expectations.ts";
import { Load } from "./load.ts";
import { startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";
import { Traffic } from "./traffic.ts";

const probe = mountSmallDisk(1);
probe?.unmount();

describe.skipIf(!probe)("a full disk", () => {
  let disk: SmallDisk | undefined;
  let panel: E2ePanel | undefined;
  let cluster: Cluster | undefined;
  let traffic: Traffic | undefined;
  afterEach(async () => {
    await traffic?.stop();
    traffic = undefined;
    await panel?.dispose();
    await cluster?.dispose();
    disk?.unmount();
  });

  // rule process.health.2
  it("under SQLite refuses changes with 503 until there is room again", async () => {
    // Room for all that this test writes before SQLite uses its write-ahead log again from the start (40 MB).
    disk = mountSmallDisk(48, "mode=0700");
    panel = await startFaultyPanel({ directory: `${disk?.path}/data` });
    traffic = await Traffic.start(panel);
    // Its agent keeps its own files on the same disk.
    const local = await panel.makeLocalNode();
    await panel.serves(local.id);
    const load = new Load(panel.api);
    await expect.poll(() => load.answered).toBeGreaterThan(50);
    const from = panel.output.length;

    disk?.fill();
    await expect
      .poll(() => load.told.at(-1)?.status === 503 || load.told.some(({ status }) => status === 503))
      .toBe(true);
    disk?.fill();
    const full = Date.now();
    await expect.poll(async () => (await fetch(`${panel?.url}/healthz`)).status).toBe(503);
    await pause(4000);
    const during = load.since(full);
    const changes = during.filter(({ kind }) => kind !== "read");
    expect(changes.filter(({ status }) => status === 200).length, JSON.stringify(Load.statuses(changes))).toBeLessThan(
      changes.length / 10,
    );
    expect(during.filter(({ kind, status }) => kind === "read" && status !== 200)).toEqual([]);
    expect(during.filter(({ kind }) => kind === "read").length).toBeGreaterThan(10);

    disk?.empty();
    await expect.poll(async () => (await fetch(`${panel?.url}/healthz`)).status).toBe(200);
    const well = Date.now();
    await expect.poll(() => load.since(well).length).toBeGreaterThan(50);
    await load.stop();
    expect(load.since(well).filter(({ status }) => status !== 200)).toEqual([]);
    expectHonestAnswers(load.told);
    expect(await load.differences(true)).toEqual([]);
    await expectWhole(panel.databaseUrl);
    expectOneOutageInLog(panel, from);
    await traffic.connected();
    await panel.serves(local.id);
    await traffic.settle();
  });

  it("is named when a panel is started on it", async () => {
    disk = mountSmallDisk(1, "mode=0700");
    disk?.fill();
    panel = await startFaultyPanel({ directory: `${disk?.path}/data`, setUp: false });
    const { code, output } = await panel.command("serve");
    expect(output).toMatch(/^signalbox: the disk of \S+ is full: make room and start again\n$/);
    expect(code).toBe(1);
  });

  it.skipIf(!canHarmPostgres)("under PostgreSQL refuses the changes that need room until there is some", async () => {
    disk = mountSmallDisk(160);
    cluster = await Cluster.start({ parent: disk?.path ?? "", walApart: true });
    panel = await startFaultyPanel({ databaseUrl: await createDatabase(cluster, "panel") });
    const load = new Load(panel.api);
    await expect.poll(() => load.answered).toBeGreaterThan(50);
    const from = panel.output.length;

    disk?.fill();
    const full = Date.now();
    const failed = () => load.since(full).filter(({ status }) => status === 503);
    // Pages that have room take some more changes; from then on most fail.
    await expect.poll(() => failed().length).toBeGreaterThan(20);
    expect(load.since(full).filter(({ kind, status }) => kind === "read" && status !== 200)).toEqual([]);
    await expect.poll(async () => (await fetch(`${panel?.url}/healthz`)).status).toBe(503);

    disk?.empty();
    await expect.poll(async () => (await fetch(`${panel?.url}/healthz`)).status).toBe(200);
    const well = Date.now();
    await expect.poll(() => load.since(well).length).toBeGreaterThan(50);
    await load.stop();
    expect(load.since(well).filter(({ status }) => status !== 200)).toEqual([]);
    expectHonestAnswers(load.told);
    expect(await load.differences(true)).toEqual([]);
    await expectWhole(panel.databaseUrl);
    expectOneOutageInLog(panel, from);
  });
});
