// A page of a hundred out of a million users over HTTP, beside the database's driver running the same statements: what
// the list costs, and how much of it is the database's; and the plan of each statement. Run:
// node bin/node24.mjs test/bench/listing.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, createTestDatabase, dialects } from "../database.ts";
import { changedOf, counters, logMoves, NOW } from "./listing/crowd.ts";
import { openBareReads, statementsOf } from "./listing/statements.ts";
import { closedLoop } from "./measure/closed-loop.ts";
import { Connection, requestText } from "./measure/connection.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { median, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(1_000_000, 20_000);

/** What is asked: name and query. First what an index serves, then what walks through all users, or all texts. */
const PAGES: readonly (readonly [string, string])[] = [
  ["first page", ""],
  ["by name", "sort=name"],
  ["by name, half way by cursor", "sort=name&cursor=half"],
  ["newest first", "sort=created_at&order=desc"],
  ["last changed", "sort=updated_at&order=desc"],
  ["next to expire", "sort=expiry"],
  ["last to expire", "sort=expiry&order=desc"],
  ["active", "status=active"],
  ["waiting for their first use", "status=pending"],
  ["expired or over their volume, still on", "status=expired,limited"],
  ["off by hand, by name", "reason=manual&sort=name"],
  ["one group of fifty, nearly all active", "group=group 7&status=active"],
  ["one reseller", "admin_id=77"],
  ["online", "online=true"],
  ["expiring within an hour", `expires_after=${NOW}&expires_before=${NOW + 3600}`],
  ["one e-mail address", "contact_email=someone77777@example.org"],
  ["changed in the last hour", `updated_since=${NOW - 3600}`],
  ["q, one found", `q=customer ${USERS - 5}`],
  ["q, twenty found", `q=${String(USERS - 1).slice(1)}`],
  ["q, a thousand found", "q=customer 777"],
  ["q in a group", `q=${String(USERS - 1).slice(1)}&group=group 49`],
  ["half way by offset", `offset=${USERS / 2}`],
  ["q, all found", "q=customer"],
  ["q of two letters", "q=77"],
  ["most used", "sort=usage&order=desc"],
  ["least remaining", "sort=remaining"],
  ["last online", "sort=online_at&order=desc"],
  ["last fetched", "sort=sub_fetched_at&order=desc"],
  ["used more than 109 GB", "used_min=109000000000"],
];

/** The cursor half way, as the page before gives it. */
async function halfWay(panel: Panel, query: URLSearchParams): Promise<URLSearchParams> {
  if (query.get("cursor") !== "half") return query;
  query.delete("cursor");
  const before = `${panel.url}/api/v1/users?${query.toString()}&limit=100&offset=${USERS / 2 - 100}`;
  const link = (await fetch(before, { headers: panel.bearers[0] ?? {} })).headers.get("link") ?? "";
  query.set("cursor", new URL(/<(.*)>/.exec(link)?.[1] ?? "", panel.url).searchParams.get("cursor") ?? "");
  return query;
}

/** A plan in lines that fit. */
const planOf = (text: string): string[] =>
  text.split("\n").map((line) => (line.length > 140 ? `${line.slice(0, 137)}...` : line));

/** What is read of the page's users by their ids: counters, and who switched them off. */
const ROWS_OF_A_PAGE = /^select \* from user_usage where id in|with recursive chain|^select id, tag from inbounds/;

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  await copyUsers(url, first.id, USERS, { changed: changedOf(dialect), counters });
  await panel.start();
  const db = await connectTestDatabase(url, entities);
  const bare = await openBareReads(url);
  await logMoves(db);
  const rows: Cell[][] = [];
  const plans: string[] = [];
  for (const [name, query] of PAGES) {
    const parameters = await halfWay(panel, new URLSearchParams(query));
    const waves = await statementsOf(db, parameters);
    // One for each page: the panel lets go of a connection that is idle for as long as a slow page takes the driver.
    const connection = await Connection.open(Number(new URL(panel.url).port));
    const request = requestText("GET", `/api/v1/users?${parameters.toString()}`, panel.bearers[0] ?? {});
    const ask = async () => {
      const { status, body } = await connection.ask(request);
      if (status !== 200) throw new Error(`${query}: ${status} ${body}`);
    };
    plans.push(`${dialect}, ${name}`);
    for (const statement of waves.flat())
      if (!ROWS_OF_A_PAGE.test(statement.text)) plans.push(...planOf(await bare.explain(statement)));
    const [ours, slow, theirs]: [number[], number[], number[]] = [[], [], []];
    await ask();
    await bare.run(waves);
    for (let run = 0; run < RUNS; run++) {
      const { p50, p95 } = await closedLoop(1, LOOP_MS / 2, ask);
      ours.push(p50);
      slow.push(p95);
      theirs.push((await closedLoop(1, LOOP_MS / 2, () => bare.run(waves))).p50);
    }
    const ratio = median(ours.map((ms, index) => (theirs[index] ?? 0) / ms));
    connection.close();
    rows.push([name, median(ours), median(slow), median(theirs), percent(ratio, 1)]);
  }
  printTable(
    `Pages of 100 out of ${thousands(USERS)} users, ${dialect}, medians of ${RUNS}, one request after the other`,
    ["page", "HTTP p50 ms", "p95 ms", "the driver's ms", "of the time is the driver's"],
    rows,
  );
  console.log(`\nTheir plans, ${dialect}; of the rows of the page itself, which are read by their keys, none\n`);
  console.log(plans.join("\n"));
  await bare.close();
  await db.close();
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

for (const dialect of dialects) await measure(dialect);
