// Durable commands per second, in process, over a hundred thousand actors, beside the bare driver in the same run.
// Run: node bin/node24.mjs test/bench/runtime.ts [sqlite|postgresql]
import type { Supervisor } from "../../src/runtime/index.ts";
import { dialects, type TestDatabase } from "../database.ts";
import { openCounters, origin, supervisorOn } from "./counters.ts";
import { rawPostgres, rawSqlite } from "./raw.ts";
import { median, printTable, quantile } from "./table.ts";

const ACTORS = 100_000;
const IN_FLIGHT = [1, 16, 256, 1024, 4096];
const RUNS = Number(process.env["BENCH_RUNS"] ?? 3);
const MS = 1500;

interface Measured {
  /** Commands per second. */
  readonly rate: number;
  /** Milliseconds from asking to the answer. */
  readonly p50: number;
  readonly p99: number;
}

/** A closed loop: `inFlight` callers, each asking again when it is answered. */
async function closedLoop(supervisor: Supervisor, inFlight: number, ms: number): Promise<Measured> {
  const latencies: number[] = [];
  const began = performance.now();
  const caller = async () => {
    for (let asked = performance.now(); asked - began < ms;) {
      await supervisor.ask("counter", 1 + Math.floor(Math.random() * ACTORS), { type: "count" }, origin);
      const answered = performance.now();
      latencies.push(answered - asked);
      asked = answered;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  const rate = (latencies.length * 1000) / (performance.now() - began);
  return { rate, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

const raw = (db: TestDatabase) =>
  db.dialect === "sqlite"
    ? Promise.resolve(rawSqlite(db.url.slice("sqlite:".length), ACTORS, MS))
    : rawPostgres(db.url, ACTORS, MS, db.store.sessions);

for (const dialect of dialects) {
  if (process.argv[2] !== undefined && process.argv[2] !== dialect) continue;
  const db = await openCounters(dialect, ACTORS);
  const supervisor = supervisorOn(db);
  await closedLoop(supervisor, 256, 1500);
  const floor: number[] = [];
  const measured = new Map<number, Measured[]>(IN_FLIGHT.map((inFlight) => [inFlight, []]));
  for (let run = 0; run < RUNS; run++) {
    floor.push(await raw(db));
    for (const [inFlight, results] of measured) results.push(await closedLoop(supervisor, inFlight, MS));
  }
  const base = median(floor);
  printTable(
    `Durable commands, ${dialect}, ${ACTORS.toLocaleString("en")} actors, medians of ${RUNS} (the bare driver, 512 per transaction: ${Math.round(base).toLocaleString("en")}/s)`,
    ["in flight", "commands/s", "of bare", "p50 ms", "p99 ms"],
    [...measured].map(([inFlight, results]) => {
      const of = (pick: (result: Measured) => number) => median(results.map(pick));
      const rate = of((result) => result.rate);
      return [inFlight, rate, `${Math.round((100 * rate) / base)} %`, of((result) => result.p50), of((result) => result.p99)];
    }),
  );
  await db.dispose();
}
