// Queries that walk through many rows keep nobody else waiting on SQLite, and see all that was committed before they
// were asked.
import { defineEntity, p } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { entity, sql } from "../../src/db/index.ts";
import { openTestDatabase } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { id: p.bigint("number").primary().autoincrement(false), name: p.text() },
  }),
);

/** Seconds of work. */
const LONG = sql<{
  n: number;
}>`with recursive c(n) as (select 1 union all select n + 1 from c where n < 6000000) select count(*) as n from c`;
const SCANS = { scans: true } as const;

async function withThings(run: (db: Awaited<ReturnType<typeof openTestDatabase>>) => Promise<void>): Promise<void> {
  const db = await openTestDatabase("sqlite", [Things]);
  try {
    await run(db);
  } finally {
    await db.dispose();
  }
}

test("a scan sees what was committed before it, row by row as any other read", () =>
  withThings(async ({ commits, reads }) => {
    for (let id = 1; id <= 20; id++) {
      await commits.submit({
        name: "make",
        locks: [],
        decide: (draft) => draft.insert(Things, { id, name: `Ding ${id}` }),
      });
      const query = sql`select * from things where lower(name) like 'ding%' order by id`;
      const [scanned, read] = await Promise.all([reads.rows(Things, query, SCANS), reads.rows(Things, query)]);
      expect(scanned).toEqual(read);
      expect(scanned).toHaveLength(id);
    }
  }));

test("while a scan works, rows are read and written, and a second scan answers", () =>
  withThings(async ({ commits, reads }) => {
    const done: string[] = [];
    const note = (what: string) => () => done.push(what);
    const long = reads.query(LONG, SCANS).then(note("long"));
    await commits
      .submit({ name: "make", locks: [], decide: (draft) => draft.insert(Things, { id: 1, name: "one" }) })
      .then(note("write"));
    await reads.find(Things, 1).then(note("read"));
    await reads.query(sql`select count(*) as n from things`, SCANS).then(note("short"));
    await long;
    expect(done).toEqual(["write", "read", "short", "long"]);
  }));

test("a scan that fails says why, and the next one is answered", () =>
  withThings(async ({ reads }) => {
    await expect(reads.query(sql`select * from absent`, SCANS)).rejects.toThrow("no such table: absent");
    expect(await reads.query(sql`select 1 as one`, SCANS)).toEqual([{ one: 1 }]);
  }));

test("scans under way are answered before the database closes; later ones are refused", async () => {
  const db = await openTestDatabase("sqlite", [Things]);
  const under = Array.from({ length: 5 }, () => db.reads.query(sql`select 1 as one`, SCANS));
  await db.dispose();
  expect(await Promise.all(under)).toEqual(under.map(() => [{ one: 1 }]));
  await expect(db.reads.query(sql`select 1 as one`, SCANS)).rejects.toThrow("the database is closed");
});
