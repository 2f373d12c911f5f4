// Single accounts created over HTTP, beside the plain durable command over HTTP in the same run. Run: node
// bin/node24.mjs test/bench/creates.ts [sqlite|postgresql]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { startCounterApi } from "./measure/counter-api.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { HttpLoad, type HttpMeasured, type Target } from "./measure/http-load.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const KEYS = 100_000;
const USERS = extent(Number(process.env["BENCH_USERS"] ?? 100_000), 2000);
const CONNECTIONS = [1, 16, 64, 256];
const WARM_UP_MS = extent(2000, 500);
/** Share of the plain command's rate. */
const GOAL: Readonly<Record<Dialect, string>> = { sqlite: "50 %", postgresql: "40 %" };
const Listing = z.object({ total: z.int() });

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  await copyUsers(url, first.id, USERS);
  await panel.start();
  const api = await startCounterApi(dialect, KEYS);
  const load = new HttpLoad(KEYS);
  const create = panel.target("POST", "/api/v1/users", { body: '{"name":"made {n}","volume":1000000}' });
  const answered = { command: 0, create: 0 };
  const runs = { command: new Map<number, HttpMeasured[]>(), create: new Map<number, HttpMeasured[]>() };
  const run = async (who: keyof typeof runs, target: Target, connections: number, ms: number) => {
    const measured = await load.run(target, connections, ms);
    answered[who] += measured.answered;
    return measured;
  };
  await run("command", api.command, 64, WARM_UP_MS);
  await run("create", create, 64, WARM_UP_MS);
  for (let turn = 0; turn < RUNS; turn++) {
    for (const connections of CONNECTIONS) {
      for (const [who, target] of [["command", api.command] as const, ["create", create] as const]) {
        const measured = await run(who, target, connections, LOOP_MS);
        runs[who].set(connections, [...(runs[who].get(connections) ?? []), measured]);
      }
    }
  }
  const { total } = Listing.parse(await panel.get("/api/v1/users?limit=1"));
  if (total !== USERS + answered.create) throw new Error(`${total} users, not ${USERS + answered.create}`);
  await load.end();
  await panel.stop();
  await api.end({ commands: answered.command });
  const rows = CONNECTIONS.flatMap((connections) => {
    const of = (who: keyof typeof runs, pick: (one: HttpMeasured) => number) =>
      medianOf(runs[who].get(connections) ?? [], pick);
    const base = of("command", ({ rate }) => rate);
    return (["command", "create"] as const).map((who): Cell[] => {
      const rate = of(who, (one) => one.rate);
      return [
        connections,
        who === "command" ? "plain command" : "create a user",
        rate,
        percent(rate, base),
        of(who, ({ p50 }) => p50),
        of(who, ({ p99 }) => p99),
        of(who, ({ cpu }) => cpu),
      ];
    });
  });
  printTable(
    `Users created among ${thousands(USERS)}, ${dialect}, medians of ${RUNS}; all found on disk (goal: ${GOAL[dialect]})`,
    ["connections", "what", "answers/s", "of plain", "p50 ms", "p99 ms", "CPU µs each"],
    rows,
  );
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

for (const dialect of dialects)
  if (process.argv[2] === undefined || process.argv[2] === dialect) await measure(dialect);
