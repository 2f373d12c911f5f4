// The whole panel with one user and with a million: heap after a collection, and under load the highest heap and the
// longest pause. Run: node bin/node24.mjs test/bench/memory.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { HttpLoad } from "./measure/http-load.ts";
import { copyUsers, Panel, type Observed } from "./measure/panel.ts";
import { medianOf, printTable, quantile, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(1_000_000, 50_000);
const LOAD_MS = extent(20_000, 1500);
const CONNECTIONS = 64;
const MIB = 2 ** 20;

async function measure(dialect: Dialect): Promise<Cell[]> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  const few = await panel.heap();
  await panel.stop();
  await copyUsers(url, first.id, USERS);
  const started = await panel.start();
  const many = await panel.heap();
  const load = new HttpLoad(USERS);
  const runs: (Observed & { changes: number })[] = [];
  for (let run = 0; run < RUNS; run++) {
    await panel.observed();
    const changed = await load.run(
      panel.target("PATCH", "/api/v1/users/{id}", { body: `{"remark":"run ${run}"}` }),
      CONNECTIONS,
      LOAD_MS,
    );
    await load.run(panel.target("GET", "/api/v1/users/{id}"), CONNECTIONS, LOAD_MS / 4);
    await load.run(panel.target("GET", "/api/v1/users?limit=50"), 4, LOAD_MS / 4);
    runs.push({ ...(await panel.observed()), changes: changed.rate });
  }
  const after = await panel.heap();
  await load.end();
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
  return [
    dialect,
    first.started,
    started,
    (many.heap - few.heap) / USERS,
    many.heap / MIB,
    medianOf(runs, (run) => run.highest) / MIB,
    after.heap / MIB,
    medianOf(runs, (run) => quantile(run.pauses, 0.99)),
    Math.max(...runs.flatMap((run) => run.pauses)),
    medianOf(runs, (run) => run.changes),
  ];
}

const rows: Cell[][] = [];
for (const dialect of dialects) rows.push(await measure(dialect));
printTable(
  `The whole panel with ${thousands(USERS)} users, ${RUNS} rounds of changes, reads and lists (pause must: 100 ms, goal: 30 ms)`,
  [
    "database",
    "start ms with one",
    "with all",
    "B heap per user",
    "idle heap MiB",
    "highest MiB",
    "heap after MiB",
    "GC p99 ms",
    "longest ms",
    "changes/s",
  ],
  rows,
);
