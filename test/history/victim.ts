// A process that counts its nodes' batches and sorts the history without end, until it kills itself in the
// middle of a transaction or right behind it. It goes on where the database says that the one before died. Not a test
// itself.
import { flushCompileCache } from "node:module";
import { sql } from "../../src/db/index.ts";
import { Fold } from "../../src/history/fold.ts";
import { historyEntities, recordTraffic } from "../../src/history/testing.ts";
import { Periods } from "../../src/history/periods.ts";
import { HistoryThread } from "../../src/history/thread.ts";
import { connectTestDatabase } from "../database.ts";
import { OpenCounter } from "../fleet/open-counter.ts";
import { Death, ledgerOf, momentOf, rowsOf } from "./month.ts";

/** Batches of each node between two folds. */
const BATCHES = 3;

// A process that is killed would not write it.
flushCompileCache();
const { url, zone, nodes, at, times, ms } = Death.parse(JSON.parse(process.argv[2] ?? ""));
let seconds = 0;
const now = () => seconds * 1000;
const db = await connectTestDatabase(url, historyEntities, now);
const die = () => process.kill(process.pid, "SIGKILL");
const execute = db.commits.execute.bind(db.commits);
let begun = 0;
db.commits.execute = async (unit) => {
  // The one that it waits for may be rolled back, where another process was there first: then the next one is it.
  const last = unit.name === at && ++begun >= times;
  if (last && ms !== "behind") setTimeout(die, ms);
  const results = await execute(unit);
  if (last && ms === "behind") die();
  return results;
};
const counter = new OpenCounter(db, now, { recordTraffic });
const periods = new Periods(zone);
const fold = new Fold({ ...db, thread: new HistoryThread(), periods: () => periods, now });
const cursors = await db.reads.query<{ node: number; seq: number }>(
  sql`select node_id as node, max(seq) as seq from usage_cursors group by node_id`,
);
const done = new Map(cursors.map(({ node, seq }) => [node, seq]));

for (;;) {
  for (let batch = 0; batch < BATCHES; batch++)
    for (const node of nodes) {
      const seq = (done.get(node) ?? 0) + 1;
      seconds = Math.max(seconds, momentOf(seq));
      await counter.count({
        nodeId: node,
        micros: 1_000_000,
        batch: { bootId: ledgerOf(node), seq, rows: rowsOf(node, seq) },
      });
      done.set(node, seq);
    }
  await fold.run(() => true);
}
