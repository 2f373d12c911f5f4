// One, two and four panel processes on 200 hot keys of one PostgreSQL, the same number of commands in flight in all.
// Run: node bin/node24.mjs test/bench/processes.ts
import pg from "pg";
import { z } from "zod";
import { dialects } from "../database.ts";
import { checkBooks, connectCounters, createCounters } from "./counters/actors.ts";
import { Child } from "./measure/child.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { medianOf, percent, printTable, thousands } from "./measure/table.ts";

const KEYS = 200;
const IN_FLIGHT = 256;
const PROCESSES = [1, 2, 4];
const WARM_UP_MS = extent(2000, 500);

const Loop = z.object({ answered: z.number(), rate: z.number(), p50: z.number(), p99: z.number() });
type Loop = z.output<typeof Loop>;

/** All load at the same time. Of latencies the worst process counts. */
async function together(children: readonly Child[], ms: number): Promise<Loop> {
  const order = { do: "load", keys: KEYS, inFlight: IN_FLIGHT / children.length, ms };
  const loops = await Promise.all(children.map((child) => child.ask(order, Loop)));
  const sum = (pick: (loop: Loop) => number) => loops.reduce((total, loop) => total + pick(loop), 0);
  const worst = (pick: (loop: Loop) => number) => Math.max(...loops.map(pick));
  return {
    answered: sum(({ answered }) => answered),
    rate: sum(({ rate }) => rate),
    p50: worst(({ p50 }) => p50),
    p99: worst(({ p99 }) => p99),
  };
}

/** Deadlocks that PostgreSQL broke in a database. Complete once the sessions on it have ended. */
async function deadlocksIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found = await client.query<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  await client.end();
  return Number(found.rows[0]?.deadlocks);
}

if (!dialects.includes("postgresql")) {
  console.log("skipped: several processes need PostgreSQL");
  process.exit(0);
}
const { url, drop } = await createCounters("postgresql", KEYS);
const children = Array.from({ length: Math.max(...PROCESSES) }, () => new Child("children/counters.ts"));
await Promise.all(children.map((child) => child.ask({ do: "open", url }, z.unknown())));
// Each process asks once when it is opened.
let commands = children.length;
commands += (await together(children, WARM_UP_MS)).answered;
const measured = new Map<number, Loop[]>(PROCESSES.map((count) => [count, []]));
for (let run = 0; run < RUNS; run++) {
  for (const [count, runs] of measured) {
    const loop = await together(children.slice(0, count), LOOP_MS);
    runs.push(loop);
    commands += loop.answered;
  }
}
await Promise.all(children.map((child) => child.end()));
const deadlocks = await deadlocksIn(url);
const db = await connectCounters(url);
await checkBooks(db.reads, KEYS, commands);
await db.close();
await drop();
const one = medianOf(measured.get(1) ?? [], ({ rate }) => rate);
printTable(
  `Processes on ${KEYS} hot keys, postgresql, ${IN_FLIGHT} commands in flight in all, medians of ${RUNS}; ${thousands(commands)} commands, all on disk, journals gapless, ${deadlocks} deadlocks`,
  ["processes", "commands/s", "of one", "p50 ms", "p99 ms"],
  [...measured].map(([count, runs]) => {
    const rate = medianOf(runs, (run) => run.rate);
    return [count, rate, percent(rate, one), medianOf(runs, ({ p50 }) => p50), medianOf(runs, ({ p99 }) => p99)];
  }),
);
if (deadlocks > 0) process.exitCode = 1;
