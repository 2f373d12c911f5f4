// Pages in a browser, on a panel with ten thousand nodes and a million users: from the address to the content, each a
// first visit without any cache. Run: node bin/node24.mjs test/bench/pages.ts [sqlite|postgresql]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { launchBrowser } from "../web/browser/chromium.ts";
import { builtInterface } from "../web/built.ts";
import { extent } from "./measure/extent.ts";
import { Panel } from "./measure/panel.ts";
import { median, medianOf, printTable, thousands, type Cell } from "./measure/table.ts";
import { gather, type Crowd } from "./pages/crowd.ts";
import { lookAt, type Line } from "./pages/look.ts";

const CROWD: Crowd = extent(
  { users: 1_000_000, nodes: 10_000, entries: 100_000 },
  { users: 20_000, nodes: 500, entries: 5_000 },
);
const VISITS = extent(5, 1);
const MIB = 2 ** 20;
const FAR: Line = { latency: 300, rate: 200_000 };
const CHART = "svg [data-state]";
/** With an answer in it: while it is awaited, rows without words stand there. */
const ROW = "tbody td a[href]";

/** What each page is for, as the browser finds it. `first`: the ids of the first user and node. */
const PAGES: readonly (readonly [string, (first: First) => string, string])[] = [
  ["overview", () => "/", "[data-needs] a"],
  ["all machines", () => "/inspect", CHART],
  ["actors, longest in their state", () => "/inspect/user", ROW],
  ["actors of one state", () => "/inspect/user?state=disabled.*", ROW],
  ["users", () => "/users", ROW],
  ["users of a group, by name", () => "/users?group=group+7&sort=name", ROW],
  ["users, a search", () => "/users?q=user+99999", ROW],
  ["nodes", () => "/nodes", ROW],
  ["a user", ({ user }) => `/users/${user + 7}`, "h1"],
  ["an actor", ({ user }) => `/inspect/user/${user + 7}`, CHART],
  ["an actor with a long journal", ({ user }) => `/inspect/user/${user}`, CHART],
  ["half way back in it", ({ user }) => `/inspect/user/${user}?at=${CROWD.entries / 2}`, CHART],
];

interface First {
  readonly user: number;
  readonly node: number;
}

const Made = z.object({ id: z.int() });

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url, { SIGNALBOX_WEB: process.env["BENCH_WEB"] ?? (await builtInterface()) });
  const { id: user } = await panel.setUp();
  const made = await panel.post("/api/v1/nodes", { name: "node", address: "127.1.0.250", port: 9, enabled: false });
  const first = { user, node: Made.parse(await made.json()).id };
  await panel.stop();
  await gather(url, first, CROWD);
  await panel.start();
  const browser = await launchBrowser();
  const cookie = panel.cookies[0]?.cookie ?? "";
  const rows: Cell[][] = [];
  for (const [name, path, selector] of PAGES) {
    const look = (line?: Line) => lookAt(browser, panel.url + path(first), selector, cookie, line);
    await look();
    await panel.observed();
    const near = [];
    for (let visit = 0; visit < VISITS; visit++) near.push(await look());
    const { highest, blocked } = await panel.observed();
    const far = [];
    for (let visit = 0; visit < VISITS; visit++) far.push(await look(FAR));
    rows.push([
      name,
      medianOf(near, ({ shown }) => shown),
      medianOf(far, ({ shown }) => shown),
      median(near.map(({ requests }) => requests)),
      Math.round(medianOf(near, ({ bytes }) => bytes) / 1000),
      medianOf(near, ({ heap }) => heap) / MIB,
      highest / MIB,
      blocked,
    ]);
  }
  printTable(
    `First visits on a panel with ${thousands(CROWD.users)} users, ${thousands(CROWD.nodes)} nodes and a journal of ${thousands(CROWD.entries)}, ${dialect}, medians of ${VISITS}`,
    [
      "page",
      "shown ms",
      "at 300 ms, 200 kB/s",
      "requests",
      "kB",
      "page's heap MiB",
      "panel's highest MiB",
      "longest block ms",
    ],
    rows,
  );
  await browser.close();
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

for (const dialect of dialects) {
  if (process.argv[2] === undefined || process.argv[2] === dialect) await measure(dialect);
}
