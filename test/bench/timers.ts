// A hundred thousand timers that fall due within a minute, and within ten seconds: how late each transition is on disk.
// Run: node bin/node24.mjs test/bench/timers.ts          BENCH_WINDOW_S=20 for another window
import type { Dialect } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { allAwake, openBedroom } from "./counters/sleepers.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { medianOf, printTable, quantile, thousands, type Cell } from "./measure/table.ts";

const TIMERS = extent(100_000, 10_000);
const chosen = process.env["BENCH_WINDOW_S"];
const WINDOWS_S = chosen === undefined ? extent([60, 10], [2]) : [Number(chosen)];
/** From the arming of the last to the first deadline, at least; arming takes no longer than laying. */
const LEAD_MS = 3000;

interface Lateness {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

async function measure(dialect: Dialect, windowS: number): Promise<Cell[]> {
  const bedroom = await openBedroom(dialect);
  const runs: Lateness[] = [];
  for (let run = 0; run < RUNS; run++) {
    const span = { from: run * TIMERS + 2, to: (run + 1) * TIMERS + 1 };
    const runtime = await bedroom.runtime();
    await runtime.supervisor.start();
    const laying = performance.now();
    await bedroom.lay(span);
    const begin = Math.ceil(Date.now() + LEAD_MS + 3 * (performance.now() - laying));
    // Neighbours in time are no neighbours on disk.
    const place = (id: number) => ((id - span.from) * 7919) % TIMERS;
    const dueAt = (id: number) => begin + Math.floor((place(id) * windowS * 1000) / TIMERS);
    const late: number[] = [];
    const awake = allAwake(bedroom, span, (id) => late.push(performance.timeOrigin + performance.now() - dueAt(id)));
    await bedroom.arm(span, `${begin} + (((n - ${span.from}) * 7919) % ${TIMERS}) * ${windowS * 1000} / ${TIMERS}`);
    if (Date.now() > begin - 1500)
      throw new Error("the timers were armed too late; the machine is too busy for this bench");
    await awake;
    await runtime.stop();
    runs.push({ p50: quantile(late, 0.5), p99: quantile(late, 0.99), most: quantile(late, 1) });
  }
  await bedroom.check(RUNS * TIMERS);
  await bedroom.dispose();
  const of = (pick: (run: Lateness) => number) => medianOf(runs, pick);
  return [dialect, windowS, TIMERS / windowS, of(({ p50 }) => p50), of(({ p99 }) => p99), of(({ most }) => most)];
}

const rows: Cell[][] = [];
for (const dialect of dialects) for (const windowS of WINDOWS_S) rows.push(await measure(dialect, windowS));
printTable(
  `${thousands(TIMERS)} timers, lateness from due to committed, medians of ${RUNS} (at 10,000/s p99 must: 200 ms, goal: 25 ms)`,
  ["database", "window s", "due/s", "p50 ms", "p99 ms", "longest ms"],
  rows,
);
