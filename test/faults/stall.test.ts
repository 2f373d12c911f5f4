// A database that stands still for ten seconds and says nothing: callers wait or are refused, nothing is lost, and it
// goes on by itself.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { E2ePanel } from "../e2e/panel.ts";
import { expectHonestAnswers, expectWhole } from "./expectations.ts";
import { Load } from "./load.ts";
import { startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";
import { Traffic } from "./traffic.ts";

const STALL_MS = 10_000;

/** Works through a stall: what comes before, meanwhile and after it. */
async function throughStall(panel: E2ePanel, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
  const traffic = await Traffic.start(panel);
  try {
    const load = new Load(panel.api);
    await expect.poll(() => load.answered).toBeGreaterThan(20);
    await begin();
    const began = Date.now();
    await pause(STALL_MS);
    await end();
    const ended = Date.now();
    await expect.poll(() => load.since(ended).filter(({ status }) => status === 200).length).toBeGreaterThan(100);
    await load.stop();
    console.info(
      `during the stall ${JSON.stringify(Load.statuses(load.since(began)))}, longest ${Math.max(...load.told.map(({ ms }) => ms))} ms`,
    );
    expectHonestAnswers(load.told);
    expect(load.told.filter(({ ms }) => ms > STALL_MS + 5000)).toEqual([]);
    expect(Load.statuses(load.since(ended + 5000))).not.toHaveProperty("503");
    expect(await load.differences(false)).toEqual([]);
    await expectWhole(panel.databaseUrl);
    await traffic.connected();
    await traffic.settle();
  } finally {
    await traffic.stop();
  }
}

describe("a database that stalls", () => {
  let panel: E2ePanel | undefined;
  let cluster: Cluster | undefined;
  let holder: ChildProcess | undefined;
  afterEach(async () => {
    holder?.kill("SIGKILL");
    if (cluster) cluster.signal("SIGCONT");
    await panel?.dispose();
    await cluster?.dispose();
    cluster = undefined;
  });

  it("SQLite: another process holds the write lock", async () => {
    panel = await startFaultyPanel();
    const file = panel.databaseUrl.slice("sqlite:".length);
    await throughStall(
      panel,
      async () => {
        holder = fork(fileURLToPath(new URL("hold-lock.ts", import.meta.url)), [file]);
        await once(holder, "message");
      },
      async () => {
        holder?.kill("SIGKILL");
        if (holder) await once(holder, "exit");
      },
    );
  });

  it.skipIf(!canHarmPostgres)("PostgreSQL: every process of the server is stopped", async () => {
    cluster = await Cluster.start();
    panel = await startFaultyPanel({ databaseUrl: await createDatabase(cluster, "panel") });
    await throughStall(
      panel,
      async () => cluster?.signal("SIGSTOP"),
      async () => cluster?.signal("SIGCONT"),
    );
  });
});
