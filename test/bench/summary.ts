// `GET /users/summary` among a million users, as who may see all of them gets it. Run: node
// bin/node24.mjs test/bench/summary.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, createTestDatabase, dialects } from "../database.ts";
import { changedOf, counters, logMoves } from "./listing/crowd.ts";
import { closedLoop, type Measured } from "./measure/closed-loop.ts";
import { Connection, requestText } from "./measure/connection.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { median, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(1_000_000, 20_000);
const ASKED: readonly (readonly [string, string])[] = [
  ["all", "/api/v1/users/summary"],
  ["all, by reason", "/api/v1/users/summary?by=reason"],
];

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  await copyUsers(url, first.id, USERS, { changed: changedOf(dialect), counters });
  const db = await connectTestDatabase(url, entities);
  await logMoves(db);
  await db.close();
  await panel.start();
  const rows: Cell[][] = [];
  for (const [name, path] of ASKED) {
    const connection = await Connection.open(Number(new URL(panel.url).port));
    const request = requestText("GET", path, panel.bearers[0] ?? {});
    const ask = async () => {
      const { status, body } = await connection.ask(request);
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    };
    const began = performance.now();
    // The groups of all users are walked through by one question of many.
    await ask();
    const walked = performance.now() - began;
    const asked: (Measured & { readonly cpu: number })[] = [];
    for (let run = 0; run < RUNS; run++) {
      const target = panel.target("GET", path);
      const cpu = () => target.servers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
      const before = cpu();
      const loop = await closedLoop(1, LOOP_MS, ask);
      asked.push({ ...loop, cpu: ((cpu() - before) * 1000) / Math.max(1, loop.answered) });
    }
    connection.close();
    const of = (pick: (one: (typeof asked)[number]) => number) => median(asked.map(pick));
    rows.push([name, walked, of(({ p50 }) => p50), of(({ p99 }) => p99), of(({ cpu }) => cpu)]);
  }
  printTable(
    `The summary of ${thousands(USERS)} users, ${dialect}, medians of ${RUNS}, one request after the other (goal: 20 ms)`,
    ["of", "first ms", "then p50 ms", "p99 ms", "process CPU ms"],
    rows,
  );
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

for (const dialect of dialects) await measure(dialect);
