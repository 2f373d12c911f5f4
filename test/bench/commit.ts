// Group commit without charts: units that change one row or insert one, per second, by how many are in flight.
// Run: node bin/node24.mjs test/bench/commit.ts
import { defineEntity, p } from "@mikro-orm/core";
import { entity, lock, sql } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { anyOf, closedLoop } from "./measure/closed-loop.ts";
import { LOOP_MS, RUNS } from "./measure/extent.ts";
import { median, printTable, thousands } from "./measure/table.ts";

const Accounts = entity(
  defineEntity({
    name: "Account",
    tableName: "accounts",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text().unique(),
      balance: p.bigint("number"),
      note: p.text(),
    },
  }),
);
const ROWS = 10_000;

const insert = (db: TestDatabase) =>
  db.commits.submit({
    name: "insert",
    locks: [],
    decide: (draft) => {
      const id = draft.nextId("accounts");
      draft.insert(Accounts, { id, name: `account ${id}`, balance: 0, note: "" });
      return id;
    },
  });
const update = (db: TestDatabase, id: number) =>
  db.commits.submit({
    name: "update",
    locks: [lock(Accounts, id)],
    decide: (draft) => {
      const row = draft.find(Accounts, id);
      if (row) draft.update(Accounts, id, { balance: row.balance + 1 });
    },
  });

for (const dialect of dialects) {
  const db = await openTestDatabase(dialect, [Accounts]);
  const ids = await Promise.all(Array.from({ length: ROWS }, () => insert(db)));
  const any = () => ids[anyOf(ids.length) - 1] ?? 1;
  let [updated, inserted] = [0, ROWS];
  const rows: (number | string)[][] = [];
  for (const inFlight of [1, 16, 256, 1024]) {
    const updates: number[] = [];
    const inserts: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const changed = await closedLoop(inFlight, LOOP_MS, () => update(db, any()));
      updates.push(changed.rate);
      updated += changed.answered;
      const added = await closedLoop(inFlight, LOOP_MS, () => insert(db));
      inserts.push(added.rate);
      inserted += added.answered;
    }
    rows.push([thousands(inFlight), median(updates), median(inserts)]);
  }
  const [found] = await db.reads.query<{ rows: number; sum: number }>(
    sql`select count(*) as rows, sum(balance) as sum from accounts`,
  );
  if (found?.rows !== inserted || found.sum !== updated)
    throw new Error(`not all units are on disk: ${JSON.stringify(found)}`);
  printTable(
    `Units per second, ${dialect}, medians of ${RUNS}`,
    ["in flight", "one row changed", "one row inserted"],
    rows,
  );
  await db.dispose();
}
