// From opening a database with a hundred thousand actors, left as by a kill, to the first command answered.
// Run: node bin/node24.mjs test/bench/runtime-start.ts
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectTestDatabase, dialects } from "../database.ts";
import { entities, openCounters, origin, supervisorOn } from "./counters.ts";
import { median, printTable } from "./table.ts";

const ACTORS = 100_000;
const RUNS = 5;
/** Commands before the kill: what the write-ahead log holds at the start. */
const LOGGED = 5000;

/** The files as they are while the panel runs, which is how a kill leaves them. */
function image(url: string): { url: string; remove(): void } {
  if (!url.startsWith("sqlite:")) return { url, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const file = url.slice("sqlite:".length);
  for (const part of ["", "-wal"]) if (existsSync(file + part)) copyFileSync(file + part, join(folder, `panel.db${part}`));
  return { url: `sqlite:${join(folder, "panel.db")}`, remove: () => rmSync(folder, { recursive: true }) };
}

const rows: (string | number)[][] = [];
for (const dialect of dialects) {
  const db = await openCounters(dialect, ACTORS);
  const before = supervisorOn(db);
  const ids = Array.from({ length: LOGGED }, (_, index) => 1 + ((index * 17) % ACTORS));
  await Promise.all(ids.map((id) => before.ask("counter", id, { type: "count" }, origin)));
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const left = image(db.url);
    const began = performance.now();
    const again = await connectTestDatabase(left.url, entities);
    const supervisor = supervisorOn(again);
    await supervisor.start();
    await supervisor.ask("counter", 1 + run, { type: "count" }, origin);
    times.push(performance.now() - began);
    await supervisor.drain(0);
    await again.close();
    left.remove();
  }
  rows.push([dialect, median(times), Math.max(...times)]);
  await db.dispose();
}
printTable(
  `Start with ${ACTORS.toLocaleString("en")} actors to the first command answered, ${RUNS} runs (must: 500 ms)`,
  ["database", "median ms", "longest ms"],
  rows,
);
