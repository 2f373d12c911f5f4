// The primary dies, its synchronous standby takes over, the address moves: every answered write is there, and the panel
// goes on by itself.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { E2ePanel } from "../e2e/panel.ts";
import { expectHonestAnswers, expectWhole } from "./expectations.ts";
import { Load } from "./load.ts";
import { startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";
import { startRelay, type Relay } from "./relay.ts";
import { Traffic } from "./traffic.ts";

const REPLICATES = ["wal_level=replica", "max_wal_senders=4", "hot_standby=on"];

describe.skipIf(!canHarmPostgres)("failover to a synchronous standby", () => {
  let primary: Cluster;
  let standby: Cluster;
  let relay: Relay;
  let panel: E2ePanel;
  let traffic: Traffic;
  beforeAll(async () => {
    primary = await Cluster.start({ settings: REPLICATES });
    standby = await Cluster.standbyOf(primary, REPLICATES);
    await primary.query("alter system set synchronous_standby_names = 'standby'");
    await primary.query("select pg_reload_conf()");
    const states = async () => (await primary.query("select sync_state from pg_stat_replication")).rows;
    await vi.waitFor(async () => expect(await states()).toEqual([{ sync_state: "sync" }]), { timeout: 60_000 });
    relay = await startRelay(primary.port);
    panel = await startFaultyPanel({ databaseUrl: await createDatabase(primary, "panel", relay.port) });
    traffic = await Traffic.start(panel);
  });
  afterAll(async () => {
    await traffic?.stop();
    await panel?.dispose();
    await relay?.close();
    await standby?.dispose();
    await primary?.dispose();
  });

  it("loses nothing that was answered", async () => {
    const load = new Load(panel.api, { workers: 12, restMs: 2 });
    await expect.poll(() => load.answered).toBeGreaterThan(100);

    primary.signal("SIGKILL");
    // A while in which the address leads to the standby before it has taken over: it can be read, not written.
    relay.moveTo(standby.port);
    await pause(2000);
    await standby.promote();
    const promoted = Date.now();
    // Reads are answered by the standby too: only answered writes tell that the panel has found the new primary.
    const written = () => load.since(promoted).filter(({ kind, status }) => kind !== "read" && status === 200).length;
    await expect.poll(written).toBeGreaterThan(50);
    await load.stop();
    console.info(`answers over the failover: ${JSON.stringify(Load.statuses(load.told))}`);
    expectHonestAnswers(load.told);
    expect(await load.differences(false)).toEqual([]);
    await expectWhole(standby.url("panel"));
    await traffic.connected();
    await traffic.settle();
  });
});
