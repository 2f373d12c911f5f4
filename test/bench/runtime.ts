// Durable commands per second, in process, on a hundred thousand and on ten thousand keys, beside the bare driver's own
// group commit in the same run. Run: node bin/node24.mjs test/bench/runtime.ts [sqlite|postgresql]
import { dialects } from "../database.ts";
import { checkBooks, counter, openCounters, origin } from "./counters/actors.ts";
import { bareDriver } from "./counters/bare-driver.ts";
import { openRuntime } from "./counters/runtime.ts";
import { anyOf, closedLoop, type Measured } from "./measure/closed-loop.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { median, medianOf, percent, printTable, thousands } from "./measure/table.ts";

const KEYS = [100_000, 10_000];
const IN_FLIGHT = [1, 16, 64, 256, 1024, 4096];
const WARM_UP_MS = extent(2000, 500);

for (const dialect of dialects) {
  if (process.argv[2] !== undefined && process.argv[2] !== dialect) continue;
  for (const keys of KEYS) {
    const db = await openCounters(dialect, keys);
    const { supervisor, stop } = await openRuntime(db, counter);
    await supervisor.start();
    const ask = () => supervisor.ask("counter", anyOf(keys), { type: "count" }, origin);
    let commands = (await closedLoop(256, WARM_UP_MS, ask)).answered;
    commands += (await bareDriver(db, keys, WARM_UP_MS / 2)).done;
    const bare: number[] = [];
    const measured = new Map<number, Measured[]>(IN_FLIGHT.map((inFlight) => [inFlight, []]));
    for (let run = 0; run < RUNS; run++) {
      for (const [inFlight, runs] of measured) {
        const one = await closedLoop(inFlight, LOOP_MS, ask);
        runs.push(one);
        commands += one.answered;
      }
      const floor = await bareDriver(db, keys, LOOP_MS);
      bare.push(floor.rate);
      commands += floor.done;
    }
    await stop();
    await checkBooks(db.reads, keys, commands);
    const base = median(bare);
    printTable(
      `Durable commands in process, ${dialect}, ${thousands(keys)} keys, medians of ${RUNS}; all found on disk`,
      ["in flight", "commands/s", "of the bare driver", "p50 ms", "p99 ms"],
      [
        ...[...measured].map(([inFlight, runs]) => {
          const rate = medianOf(runs, (run) => run.rate);
          return [
            thousands(inFlight),
            rate,
            percent(rate, base),
            medianOf(runs, (run) => run.p50),
            medianOf(runs, (run) => run.p99),
          ];
        }),
        ["bare driver, 512 a transaction", base, "100 %", "", ""],
      ],
    );
    await db.dispose();
  }
}
