// What it costs that actors are counted by state in the commits that move them: the same commands with the counters and
// without, in turns on one database. Each command moves its actor to another state, so that each counts; the panel's
// own transitions count less. Processor time is of this process, all threads, so of SQLite's writer too. Run: node
// bin/node24.mjs test/bench/counting.ts [sqlite|postgresql]
import { StateCounter } from "../../src/runtime/testing.ts";
import { dialects } from "../database.ts";
import { checkBooks, counter, openCounters, origin } from "./counters/actors.ts";
import { openRuntime } from "./counters/runtime.ts";
import { anyOf, closedLoop } from "./measure/closed-loop.ts";
import { extent } from "./measure/extent.ts";
import { median, medianOf, printTable, quantile, thousands, type Cell } from "./measure/table.ts";

const KEYS = 10_000;
const IN_FLIGHT = [1, 16, 256, 1024];
/** Short turns and many: whatever else the machine does then meets both alike. */
const PAIRS = extent(15, 3);
const TURN_MS = extent(500, 200);

/** Commands a second, and microseconds of processor for each. */
interface Turn {
  readonly rate: number;
  readonly cpu: number;
}

for (const dialect of dialects) {
  if (process.argv[2] !== undefined && process.argv[2] !== dialect) continue;
  const db = await openCounters(dialect, KEYS);
  const own = new StateCounter(db.boot);
  let counting = true;
  const { supervisor, stop } = await openRuntime(db, counter, {
    counter: { count: (...of) => (counting ? own.count(...of) : undefined) },
  });
  await supervisor.start();
  const ask = () => supervisor.ask("counter", anyOf(KEYS), { type: "count" }, origin);
  let commands = (await closedLoop(256, 2 * TURN_MS, ask)).answered;
  const rows: Cell[][] = [];
  for (const inFlight of IN_FLIGHT) {
    const pairs: { readonly on: Turn; readonly off: Turn }[] = [];
    const turn = async (counts: boolean): Promise<Turn> => {
      counting = counts;
      const before = process.cpuUsage();
      const { answered, rate } = await closedLoop(inFlight, TURN_MS, ask);
      const { user, system } = process.cpuUsage(before);
      commands += answered;
      return { rate, cpu: (user + system) / answered };
    };
    for (let pair = 0; pair < PAIRS; pair++) {
      // The two begin by turns: both pay for what a turn leaves behind.
      if (pair % 2 === 0) pairs.push({ on: await turn(true), off: await turn(false) });
      else {
        const off = await turn(false);
        pairs.push({ on: await turn(true), off });
      }
    }
    const shares = (of: keyof Turn) => pairs.map(({ on, off }) => (100 * on[of]) / off[of]);
    const [rates, times] = [shares("rate"), shares("cpu")];
    const shown = (share: number) => `${share.toFixed(1)} %`;
    rows.push([
      thousands(inFlight),
      medianOf(pairs, ({ on }) => on.rate),
      medianOf(pairs, ({ off }) => off.rate),
      shown(median(rates)),
      medianOf(pairs, ({ on }) => on.cpu),
      medianOf(pairs, ({ off }) => off.cpu),
      shown(median(times)),
      `${shown(quantile(times, 0.25))} to ${shown(quantile(times, 0.75))}`,
    ]);
  }
  await stop();
  await checkBooks(db.reads, KEYS, commands);
  printTable(
    `Commands that each move an actor to another state, ${dialect}, ${thousands(KEYS)} keys, ${PAIRS} pairs of turns`,
    ["in flight", "counted/s", "uncounted/s", "of it", "CPU µs counted", "uncounted", "of it", "middle half"],
    rows,
  );
  await db.dispose();
}
