// Bulk operations on a hundred thousand accounts beside other requests: how many accounts a second, and what the others
// wait meanwhile. Run: node bin/node24.mjs test/bench/beside.ts [sqlite|postgresql]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { extent } from "./measure/extent.ts";
import { HttpLoad, type HttpMeasured, type Target } from "./measure/http-load.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(Number(process.env["BENCH_USERS"] ?? 100_000), 20_000);
/** Milliseconds of the load beside each operation; the job goes on alone after it. */
const BESIDE_MS = extent(3000, 1000);
const CONNECTIONS = 8;

const Started = z.object({ job: z.int() });
const Job = z.object({ state: z.string(), done: z.number(), affected: z.number(), failed: z.number() });

/** Each changes every account, whatever the one before with the same name did. */
const OPERATIONS: readonly (readonly [string, string, (others: string) => object])[] = [
  ["disable", "disable", () => ({})],
  ["enable", "enable", () => ({})],
  ["extend", "extend", () => ({ seconds: 60 })],
  ["edit the group", "edit", (others) => ({ set: { group: others } })],
];

interface Load {
  readonly name: string;
  readonly target: (panel: Panel) => Target;
}

const LOADS: readonly Load[] = [
  { name: "reads, one after the other", target: (panel) => panel.target("GET", "/api/v1/users/{id}") },
  { name: "200 reads a second", target: (panel) => ({ ...panel.target("GET", "/api/v1/users/{id}"), perSecond: 200 }) },
  {
    name: "100 changes a second",
    target: (panel) => ({
      ...panel.target("PATCH", "/api/v1/users/{id}", { body: '{"remark":"{n}"}' }),
      perSecond: 100,
    }),
  },
];

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  const expiry = Math.floor(Date.now() / 1000) + 365 * 86_400;
  await copyUsers(url, first.id, USERS, { changed: { expiry: String(expiry) } });
  await panel.start();
  const load = new HttpLoad(USERS);
  const rows: Cell[][] = [];
  for (const { name: others, target } of LOADS) {
    await load.run(target(panel), CONNECTIONS, extent(2000, 300));
    await panel.observed();
    rows.push([others, "nothing", "", ...answersOf(await load.run(target(panel), CONNECTIONS, BESIDE_MS)), "", ""]);
    for (const [name, op, body] of OPERATIONS) {
      await panel.observed();
      const asked = await panel.post(`/api/v1/users/bulk/${op}?all=true&async=true`, body(others));
      const { job } = Started.parse(await asked.json());
      const look = async () => Job.parse(await panel.get(`/api/v1/jobs/${job}`));
      // The first steps are small.
      while ((await look()).done === 0) await pause(5);
      const from = (await look()).done;
      const used = cpuOf(target(panel));
      const began = performance.now();
      const measured = await load.run(target(panel), CONNECTIONS, BESIDE_MS);
      const took = performance.now() - began;
      const to = await look();
      const cpu = percent((cpuOf(target(panel)) - used) * 1000, took);
      const { blocked } = await panel.observed();
      if (to.done >= USERS) throw new Error(`${name} was over before the others were answered: more users are needed`);
      rows.push([others, name, ((to.done - from) * 1000) / took, ...answersOf(measured), blocked, cpu]);
      for (;;) {
        const { state, affected, failed } = await look();
        // The user of the setup has no end to extend.
        if (state === "succeeded" && affected >= USERS - 1 && failed === 0) break;
        if (state !== "running") throw new Error(`${name}: ${state}, ${affected} of ${USERS}, ${failed} failed`);
        await pause(100);
      }
    }
  }
  await load.end();
  await panel.stop();
  printTable(
    `Bulk operations on ${thousands(USERS)} users beside other requests, ${dialect}; all found changed`,
    ["others", "operation", "users/s", "others/s", "p50 ms", "p99 ms", "longest block ms", "panel's CPU"],
    rows,
  );
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

/** Processor seconds of the panel so far, all threads. */
const cpuOf = ({ servers }: Target): number => servers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
const answersOf = ({ rate, p50, p99 }: HttpMeasured): Cell[] => [rate, p50, p99];

for (const dialect of dialects)
  if (process.argv[2] === undefined || process.argv[2] === dialect) await measure(dialect);
