// A panel process that is stopped (SIGSTOP) past its leases and goes on: the other one has its links meanwhile, and
// what it believes on waking does no harm.
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { quietPorts } from "../quiet-ports.ts";
import { createMigratedDatabase, dialects } from "../database.ts";
import { Api } from "../e2e/api.ts";
import {
  addressOf,
  differences,
  expectedUsage,
  makeMany,
  makeUsers,
  nodesWith,
  startFleet,
  usageOf,
  type SimulatedFleet,
} from "../e2e/fleet.ts";
import { startOrigin } from "../e2e/origin.ts";
import { E2ePanel } from "../e2e/panel.ts";
import { startStopwatch } from "../stopwatch.ts";
import { until } from "./panel-side.ts";

const NODES = 16;
/** For what comes when it comes. */
const PATIENCE_MS = 60_000;

describe.skipIf(!dialects.includes("postgresql"))("a panel process is paused", () => {
  let panels: E2ePanel[];
  let fleet: SimulatedFleet;
  let database: pg.Client;
  let api: Api;
  let nodes: number[];

  beforeAll(async () => {
    const { url, drop } = await createMigratedDatabase("postgresql");
    const [one = 0, two = 0, agents = 0] = await quietPorts(3);
    const variables = { SIGNALBOX_SECRET_KEY: randomBytes(32).toString("hex") };
    const drops = [drop, async () => {}];
    const made = await Promise.all(
      [one, two].map(async (port, index) => {
        const directory = mkdtempSync(join(tmpdir(), "signalbox-paused-"));
        const dropDatabase = drops[index] ?? drop;
        return new E2ePanel({
          directory,
          port,
          databaseUrl: url,
          dropDatabase,
          engine: "embedded",
          origin: await startOrigin(),
          variables,
        });
      }),
    );
    panels = made;
    const [first, second] = made;
    if (!first || !second) throw new Error("there are two panels");
    await first.setUp();
    await second.start();
    database = new pg.Client({ connectionString: url });
    await database.connect();
    const token = z
      .object({ token: z.string() })
      .parse(await first.api.ok("POST", "/tokens", { desc: "other", rateLimit: 1_000_000 })).token;
    api = new Api(second.url, { authorization: `Bearer ${token}` });
    fleet = await startFleet(first.api, { directory: first.directory, port: agents, active: 100, rate: 5000 });
    const [inboundId = 0] = await makeMany(api, "inbounds", 1, () => ({
      tag: "in",
      type: "vless",
      config: { listen_port: 20_000 },
    }));
    const [templateId = 0] = await makeMany(api, "templates", 1, () => ({ name: "all", inboundIds: [inboundId] }));
    await makeUsers(api, 20, (index) => ({ name: `user-${index}`, templateIds: [templateId] }));
    nodes = await makeMany(api, "nodes", NODES, (index) => ({
      name: `n${index}`,
      address: addressOf(index),
      port: agents,
      templateId,
    }));
    await until(async () => (await nodesWith(api, "connected")) === NODES, PATIENCE_MS);
    await until(async () => (await owners()).length === 2);
  }, 180_000);
  afterAll(async () => {
    await database?.end();
    await fleet?.stop();
    // Where the test failed, it may still be paused: then it would not hear that it should end.
    const [first] = panels ?? [];
    if (first) process.kill(first.pid, "SIGCONT");
    // The first one drops the database.
    for (const panel of panels?.toReversed() ?? []) await panel.dispose();
  }, 90_000);

  /** Owners of shards, by the leases that have not run out. */
  async function owners(): Promise<string[]> {
    const { rows } = await database.query<{ owner: string }>(
      "select distinct owner from shards where owner <> '' and expires_at > extract(epoch from clock_timestamp()) * 1000",
    );
    return rows.map(({ owner }) => owner);
  }
  const dials = () => Object.values(fleet.report().nodes).map((node) => node.dials);
  const links = () => Object.values(fleet.report().nodes).map((node) => node.links);

  test(
    "its links are taken over, it says nothing of them when it goes on, and every byte is counted once",
    { timeout: 300_000 },
    async () => {
      const [first] = panels;
      const before = dials();
      const elapsed = startStopwatch();
      process.kill(first?.pid ?? 0, "SIGSTOP");
      await expect.poll(owners, { timeout: PATIENCE_MS }).toHaveLength(1);
      // Every node answers to the other panel: those that it did not hold were dialled again.
      const held = async () =>
        (
          await database.query<{ n: number }>(
            "select count(*)::int as n from shards where expires_at > extract(epoch from clock_timestamp()) * 1000",
          )
        ).rows[0]?.n;
      await expect.poll(held, { timeout: PATIENCE_MS }).toBe(64);
      await expect
        .poll(() => dials().reduce((sum, each) => sum + each, 0), { timeout: PATIENCE_MS })
        .toBeGreaterThan(before.reduce((sum, each) => sum + each, 0));
      for (const id of nodes) await api.ok("POST", `/nodes/${id}/sync`);
      expect(elapsed()).toBeLessThan(15_000);
      process.kill(first?.pid ?? 0, "SIGCONT");
      await expect.poll(owners, { timeout: PATIENCE_MS }).toHaveLength(2);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await expect.poll(links, { timeout: PATIENCE_MS }).toEqual(nodes.map(() => 1));
      expect(await nodesWith(api, "connected")).toBe(NODES);
      for (const id of nodes) {
        const { items } = z
          .object({ items: z.object({ event: z.string() }).array() })
          .parse(await api.ok("GET", `/actors/node/${id}/journal`));
        expect(items.filter(({ event }) => event === "link.lost" || event === "link.mismatched")).toEqual([]);
      }
      const { rows } = await database.query("select subject from events where event = 'node.disconnected'");
      expect(rows).toEqual([]);
      for (const id of nodes) await api.ok("PUT", `/nodes/${id}/template`, { templateId: null });
      const totals = () => expectedUsage(fleet.report(), NODES, () => 1);
      await expect
        .poll(async () => differences(totals(), await usageOf(api)), { timeout: PATIENCE_MS, interval: 500 })
        .toEqual([]);
      expect(totals().size).toBe(20);
    },
  );
});
