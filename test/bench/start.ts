// From a kill to the first answer: a process with a hundred thousand and with a million actors is killed under load,
// and the next one started. Run: node bin/node24.mjs test/bench/start.ts
import { z } from "zod";
import type { Database, Dialect } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { checkBooks, connectCounters, createCounters, runStatement } from "./counters/actors.ts";
import { Child } from "./measure/child.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { medianOf, printTable, thousands, type Cell } from "./measure/table.ts";

const ACTORS = extent([100_000, 1_000_000], [100_000]);
/** One actor out of so many waits for a deadline, a day ahead. */
const WAITING = 10;
const LOAD_MS = extent(3000, 500);
const DAY_MS = 86_400_000;

const Opened = z.object({ loaded: z.number(), opened: z.number() });

/** Deadlines that a start must not read one by one. */
function armTimers(db: Database, actors: number): Promise<void> {
  const columns = "id, kind, actor_id, name, event, due_at";
  const text = `insert into timers (${columns}) select 'counter:' || id || ':tomorrow', 'counter', id, 'tomorrow', 'count', ${Date.now() + DAY_MS} + id
    from counters where id % ${WAITING} = 0`;
  return runStatement(db, text, actors / WAITING);
}

/** A process under load, ended by SIGKILL: what it leaves is what a crash leaves. */
async function kill(url: string, keys: number): Promise<void> {
  const victim = new Child("children/counters.ts");
  await victim.ask({ do: "open", url }, Opened);
  // It never answers: it is killed first.
  const ended = victim.ask({ do: "load", keys, inFlight: 256, ms: 60_000 }, z.unknown()).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
  await victim.end("SIGKILL");
  await ended;
}

async function measure(dialect: Dialect, actors: number): Promise<Cell[]> {
  const { url, drop } = await createCounters(dialect, actors);
  const seeding = await connectCounters(url);
  await armTimers(seeding, actors);
  await seeding.close();
  const runs: z.output<typeof Opened>[] = [];
  for (let run = 0; run < RUNS; run++) {
    await kill(url, actors);
    const next = new Child("children/counters.ts");
    runs.push(await next.ask({ do: "open", url }, Opened));
    await next.end();
  }
  const db = await connectCounters(url);
  await checkBooks(db.reads, actors, 2 * RUNS, true);
  await db.close();
  await drop();
  const longest = Math.max(...runs.map(({ opened }) => opened));
  return [
    dialect,
    thousands(actors),
    medianOf(runs, ({ loaded }) => loaded),
    medianOf(runs, ({ opened }) => opened),
    longest,
  ];
}

const rows: Cell[][] = [];
for (const dialect of dialects) for (const actors of ACTORS) rows.push(await measure(dialect, actors));
printTable(
  `After SIGKILL under load, medians of ${RUNS} (must: 500 ms, goal: 100 ms beyond the start of the process)`,
  ["database", "actors", "process start ms", "then to the first answer ms", "longest"],
  rows,
);
