// A hundred thousand timers that fell due while the panel was stopped: seconds until all are carried out, once each,
// and what commands feel of it. Run: node bin/node24.mjs test/bench/overdue.ts
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Dialect } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { allAwake, openBedroom, turn } from "./counters/sleepers.ts";
import { anyOf, closedLoop, measured, type Measured } from "./measure/closed-loop.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

/** Timers that the runtime fires at once. */
const IN_FLIGHT = 1024;
const TIMERS = extent(100_000, 10_000);
/** The panel was away for an hour. */
const AWAY_MS = 3_600_000;

interface CaughtUp {
  readonly seconds: number;
  /** Commands per second on the same actors, as many in flight as there are timers, once all is carried out. */
  readonly usual: number;
  /** Commands one after the other meanwhile. */
  readonly commands: Measured;
  /** Longest time that the event loop stood still. */
  readonly blocked: number;
}

async function measure(dialect: Dialect): Promise<Cell[]> {
  const bedroom = await openBedroom(dialect);
  const runs: CaughtUp[] = [];
  let next = 2;
  // The first, smaller round warms up.
  for (const timers of [TIMERS / 10, ...Array.from({ length: RUNS }, () => TIMERS)]) {
    const span = { from: next, to: next + timers - 1 };
    next = span.to + 1;
    await bedroom.lay(span);
    await bedroom.arm(span, `${Date.now() - AWAY_MS} + n % ${AWAY_MS}`);
    const runtime = await bedroom.runtime();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const work = { left: true };
    const awake = allAwake(bedroom, span).then(() => (work.left = false));
    const latencies: number[] = [];
    delay.enable();
    const began = performance.now();
    await runtime.supervisor.start();
    while (work.left) {
      const asked = performance.now();
      await turn(runtime.supervisor);
      latencies.push(performance.now() - asked);
    }
    await awake;
    const ms = performance.now() - began;
    delay.disable();
    const { rate: usual } = await closedLoop(IN_FLIGHT, LOOP_MS, () => turn(runtime.supervisor, next - anyOf(timers)));
    await runtime.stop();
    if (timers === TIMERS)
      runs.push({
        seconds: ms / 1000,
        usual,
        commands: measured(latencies, ms),
        blocked: Math.max(0, delay.max / 1e6 - 5),
      });
  }
  await bedroom.check(next - 2);
  await bedroom.dispose();
  const of = (pick: (run: CaughtUp) => number) => medianOf(runs, pick);
  const seconds = of((run) => run.seconds);
  return [
    dialect,
    seconds,
    TIMERS / seconds,
    percent(
      TIMERS / seconds,
      of((run) => run.usual),
    ),
    of(({ commands }) => commands.p50),
    of(({ commands }) => commands.p99),
    of((run) => run.blocked),
  ];
}

const rows: Cell[][] = [];
for (const dialect of dialects) rows.push(await measure(dialect));
printTable(
  `${thousands(TIMERS)} timers overdue at the start, each fired once, one event each, medians of ${RUNS} (must: 30 s, goal: 4 s)`,
  ["database", "seconds", "timers/s", "of commands", "command meanwhile p50 ms", "p99 ms", "longest block ms"],
  rows,
);
