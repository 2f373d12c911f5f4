// A page of a hundred out of a million users over HTTP, beside the database's driver running the same statements: what
// the list costs, and how much of it is the database's. Run: node bin/node24.mjs test/bench/listing.ts; with EXPLAIN=1
// it also prints the database's plans.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, createTestDatabase, dialects } from "../database.ts";
import { openBareReads, statementsOf } from "./listing/statements.ts";
import { closedLoop } from "./measure/closed-loop.ts";
import { Connection, requestText } from "./measure/connection.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { median, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(1_000_000, 20_000);
const NOW = Math.floor(Date.now() / 1000);
const YEAR = 365 * 86_400;

/** What is asked: name and query. */
const PAGES: readonly (readonly [string, string])[] = [
  ["first page", ""],
  ["half way", `offset=${USERS / 2}`],
  ["last page", `offset=${USERS - 100}`],
  ["one group of fifty", "group=group 7"],
  ["those that expired", "status=expired"],
  ["online now", "online=true"],
  ["by name", "sort=name"],
  ["newest first", "sort=created_at&order=desc"],
  ["next to expire", "sort=expiry"],
  ["most used", "sort=usage&order=desc"],
  ["q, one found", `q=customer ${USERS - 5}`],
  ["q, twenty found", `q=${String(USERS - 1).slice(1)}`],
  ["q, thousands found", "q=customer 77"],
  ["q, all found", "q=customer"],
  ["q of two letters", "q=77"],
];

/** Users that differ as those of a panel do: places in the table say nothing of what they hold. */
const scattered = (factor: number, most: number) => `(cast(n as bigint) * ${factor}) % ${most}`;
const changed = {
  enable: "(n % 20 <> 0)",
  expiry: `case n % 4 when 0 then 0 else ${NOW - YEAR / 4} + ${scattered(7919, YEAR)} end`,
  group_label: "'group ' || (n % 50)",
  description: "'customer ' || n",
  contact_text: "'someone' || n || '@example.org'",
  created_at: `${NOW - YEAR} + ${scattered(104_729, YEAR)}`,
  updated_at: `${NOW - YEAR} + ${scattered(1_299_709, YEAR)}`,
};
const counters = {
  up: scattered(15_485_863, 10_000_000_000),
  down: scattered(32_452_843, 100_000_000_000),
  online_at: `${NOW} - ${scattered(7919, YEAR / 10)}`,
};

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  await copyUsers(url, first.id, USERS, { changed, counters });
  await panel.start();
  const db = await connectTestDatabase(url, entities);
  const bare = await openBareReads(url);
  const rows: Cell[][] = [];
  for (const [name, query] of PAGES) {
    const parameters = new URLSearchParams(query);
    const waves = await statementsOf(db, parameters);
    // One for each page: the panel lets go of a connection that is idle for as long as a slow page takes the driver.
    const connection = await Connection.open(Number(new URL(panel.url).port));
    const request = requestText("GET", `/api/v1/users?${parameters.toString()}`, panel.bearers[0] ?? {});
    const ask = async () => {
      const { status, body } = await connection.ask(request);
      if (status !== 200) throw new Error(`${query}: ${status} ${body}`);
    };
    if (process.env["EXPLAIN"] === "1") {
      for (const sql of waves.flat()) console.log(`\n${dialect}, ${name}: ${sql.text}\n${await bare.explain(sql)}`);
    }
    const [ours, theirs]: [number[], number[]] = [[], []];
    await ask();
    await bare.run(waves);
    for (let run = 0; run < RUNS; run++) {
      ours.push((await closedLoop(1, LOOP_MS / 2, ask)).p50);
      theirs.push((await closedLoop(1, LOOP_MS / 2, () => bare.run(waves))).p50);
    }
    const ratio = median(ours.map((ms, index) => (theirs[index] ?? 0) / ms));
    connection.close();
    rows.push([name, median(ours), median(theirs), percent(ratio, 1)]);
  }
  printTable(
    `Pages of 100 out of ${thousands(USERS)} users, ${dialect}, medians of ${RUNS}, one request after the other`,
    ["page", "HTTP p50 ms", "the driver's ms", "of the time is the driver's"],
    rows,
  );
  await bare.close();
  await db.close();
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

for (const dialect of dialects) await measure(dialect);
