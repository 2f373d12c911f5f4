// The history of traffic: what it costs the counting to record it, what it takes on disk, and how long questions take
// among a million accounts. Run: node bin/node24.mjs test/bench/history.ts
import { dialects } from "../database.ts";
import { makeFleet, measureAsking } from "./history/asking.ts";
import { measureWriting } from "./history/writing.ts";
import { printTable, type Cell } from "./measure/table.ts";

const writing: Cell[][] = [];
for (const dialect of dialects) writing.push(...(await measureWriting(dialect)));
printTable(
  "Counting a batch, with what is recorded of it; medians",
  ["database", "recorded as", "accounts", "ms", "of none", "process CPU ms", "of none", "bytes a row"],
  writing,
);
const sizes: Cell[][] = [];
const times: Cell[][] = [];
const fleet = makeFleet();
for (const dialect of dialects) {
  const measured = await measureAsking(dialect, fleet);
  sizes.push(...measured.sizes);
  times.push(...measured.times);
}
printTable(
  "On disk: 200,000 accounts of a million active in a day, six hours each, on 10,000 nodes",
  ["database", "table", "rows", "packed MiB a day", "on disk MiB a day", "kept: GiB in all"],
  sizes,
);
printTable("Questions", ["database", "question", "p50 ms", "p95 ms", "goal ms", "process CPU ms"], times);
