// The whole panel behind PgBouncer in transaction mode: connections are handed on after every transaction, so nothing
// may rest on one.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPooled } from "../../src/db/postgresql/pooler.ts";
import type { E2ePanel } from "../e2e/panel.ts";
import { expectWhole } from "./expectations.ts";
import { Load } from "./load.ts";
import { complaints, startFaultyPanel } from "./panel.ts";
import { hasPgBouncer, startPgBouncer, type PgBouncer } from "./pgbouncer.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";
import { Traffic } from "./traffic.ts";

/** Fewer than a panel's own sessions, so that every one of them changes hands. */
const CONNECTIONS = 3;

describe.skipIf(!canHarmPostgres || !hasPgBouncer)("a connection pooler in transaction mode", () => {
  let cluster: Cluster;
  let bouncer: PgBouncer;
  let url: string;
  const panels: E2ePanel[] = [];
  beforeAll(async () => {
    cluster = await Cluster.start();
    bouncer = await startPgBouncer(cluster.port, CONNECTIONS);
    url = await createDatabase(cluster, "panel", bouncer.port);
  });
  afterAll(async () => {
    for (const panel of panels) await panel.dispose();
    await bouncer?.close();
    await cluster?.dispose();
  });

  it("is noticed by whoever connects through it", async () => {
    for (const [address, expected] of [
      [url, true],
      [cluster.url("panel"), false],
    ] as const) {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      expect(await isPooled(client)).toBe(expected);
      await client.end();
    }
  });

  it("carries the whole panel: migrations, load, links, usage, a restart", async () => {
    const panel = await startFaultyPanel({ databaseUrl: url });
    panels.push(panel);
    const traffic = await Traffic.start(panel);
    try {
      const load = new Load(panel.api, { workers: 16, restMs: 1 });
      await expect.poll(() => load.answered).toBeGreaterThan(200);
      await load.stop();
      expect(Load.statuses(load.told)).toEqual({ 200: expect.any(Number) });
      expect(await load.differences(true)).toEqual([]);
      await expectWhole(cluster.url("panel"));
      await traffic.settle();
      expect(complaints(panel, 0)).toEqual([]);
      // The lock of migrations must not outlive the process that took it, in a connection of the pooler's.
      expect((await cluster.query("select count(*)::int as n from pg_locks where locktype = 'advisory'")).rows).toEqual(
        [{ n: 0 }],
      );
      expect((await panel.stop()).code).toBe(0);
      await panel.start();
      expect((await panel.api.request("GET", "/api/v1/users?limit=1")).status).toBe(200);
    } finally {
      await traffic.stop();
    }
  });
});
