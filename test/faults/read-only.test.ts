// The database becomes read-only while the panel works (a disk that the kernel protects, a server whose keeper says so)
// and writable again.
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { E2ePanel } from "../e2e/panel.ts";
import { canFailCalls, failCalls, type FailingCalls } from "./failing-calls.ts";
import { expectHonestAnswers, expectOneOutageInLog, expectWhole } from "./expectations.ts";
import { Load } from "./load.ts";
import { startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";

/** Reads go on and changes do not, then everything does. */
async function throughReadOnly(panel: E2ePanel, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
  const healthz = async () => (await fetch(`${panel.url}/healthz`)).status;
  const load = new Load(panel.api, { workers: 4 });
  await expect.poll(() => load.answered).toBeGreaterThan(20);
  const from = panel.output.length;
  await begin();
  await expect.poll(healthz).toBe(503);
  const began = Date.now();
  await pause(4000);
  const during = load.since(began);
  expect(during.filter(({ kind, status }) => status !== (kind === "read" ? 200 : 503)).slice(0, 3)).toEqual([]);
  expect(during.filter(({ kind }) => kind === "read").length).toBeGreaterThan(5);
  await end();
  await expect.poll(healthz).toBe(200);
  const well = Date.now();
  await expect.poll(() => load.since(well).length).toBeGreaterThan(50);
  await load.stop();
  expect(load.since(well).filter(({ status }) => status !== 200)).toEqual([]);
  expectHonestAnswers(load.told);
  expect(await load.differences(true)).toEqual([]);
  await expectWhole(panel.databaseUrl);
  expectOneOutageInLog(panel, from);
}

describe("a database that becomes read-only", () => {
  let panel: E2ePanel | undefined;
  let cluster: Cluster | undefined;
  let failing: FailingCalls | undefined;
  afterEach(async () => {
    await failing?.stop();
    await panel?.dispose();
    await cluster?.dispose();
  });

  it.skipIf(!canFailCalls).each(["EROFS", "EIO"])("SQLite: every write to its files fails with %s", async (error) => {
    panel = await startFaultyPanel();
    const { pid } = panel;
    const file = panel.databaseUrl.slice("sqlite:".length);
    await throughReadOnly(
      panel,
      async () => {
        failing = await failCalls(pid, ["pwrite64", "fdatasync", "fsync", "ftruncate"], error, [file, `${file}-wal`]);
      },
      async () => failing?.stop(),
    );
  });

  it.skipIf(!canHarmPostgres)("PostgreSQL: transactions are read-only by decree", async () => {
    cluster = await Cluster.start();
    panel = await startFaultyPanel({ databaseUrl: await createDatabase(cluster, "panel") });
    const decree = async (value: string) => {
      await cluster?.query(`alter system set default_transaction_read_only = ${value}`);
      await cluster?.query("select pg_reload_conf()");
    };
    await throughReadOnly(
      panel,
      () => decree("on"),
      () => decree("off"),
    );
  });
});
