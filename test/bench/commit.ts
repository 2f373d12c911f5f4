// Group commit without charts: units that change one row or insert one, per second, by how many are in flight.
// Run: node bin/node24.mjs test/bench/commit.ts
import { defineEntity, p } from "@mikro-orm/core";
import { entity, lock } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { median, printTable } from "./table.ts";

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
const RUNS = 3;
const MS = 1000;

let inserted = 0;
const insert = (db: TestDatabase) =>
  db.commits.submit({
    name: "insert",
    locks: [],
    decide: (draft) => {
      const id = draft.nextId("accounts");
      draft.insert(Accounts, { id, name: `account ${inserted++}-${id}`, balance: 0, note: "" });
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

async function rate(inFlight: number, once: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let done = 0;
  const caller = async () => {
    for (; performance.now() - began < MS; done++) await once();
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (done * 1000) / (performance.now() - began);
}

for (const dialect of dialects) {
  const db = await openTestDatabase(dialect, [Accounts]);
  const ids = await Promise.all(Array.from({ length: ROWS }, () => insert(db)));
  const any = () => ids[Math.floor(Math.random() * ids.length)] ?? 1;
  const rows: number[][] = [];
  for (const inFlight of [1, 16, 256, 1024]) {
    const updates: number[] = [];
    const inserts: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      updates.push(await rate(inFlight, () => update(db, any())));
      inserts.push(await rate(inFlight, () => insert(db)));
    }
    rows.push([inFlight, median(updates), median(inserts)]);
  }
  printTable(`Units per second, ${dialect}, medians of ${RUNS}`, ["in flight", "one row changed", "one row inserted"], rows);
  await db.dispose();
}
