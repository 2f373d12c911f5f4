// Many rows in small commits: bound, condition, order and end, and two processes that sweep one table.
import { defineEntity, p } from "@mikro-orm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { entity, inBatches, lock, sql, sweepLocked, sweepRows } from "../../src/db/index.ts";
import { connectTestDatabase, createTestDatabase, dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { id: p.bigint("number").primary().autoincrement(false), age: p.bigint("number") },
  }),
);
const old = sql`select id from things where age > 10 order by id`;

describe.each(dialects)("sweeps on %s", (dialect) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, [Things]);
  });
  afterEach(() => db.dispose());

  /** Rows 1 to `count`; those with an odd id are old. */
  const fill = (count: number) =>
    db.commits.submit({
      name: "fill",
      locks: [],
      decide(draft) {
        for (let id = 1; id <= count; id++) draft.insert(Things, { id, age: id % 2 === 1 ? 20 : 5 });
      },
    });
  const left = async () => (await db.reads.rows(Things, sql`select * from things order by id`)).map(({ id }) => id);
  /** Commits by statements. */
  const counted = () => {
    let commits = 0;
    db.commits.onCommit(({ statements }) => (commits += statements ? 1 : 0));
    return () => commits;
  };

  test("remove what meets the condition, some in each commit", async () => {
    await fill(20);
    const commits = counted();
    expect(await sweepRows(db, { name: "s", table: "things", ids: old, atOnce: 4 })).toBe(10);
    expect(await left()).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
    expect(commits()).toBe(3);
  });

  test("write nothing where there is nothing to do", async () => {
    await fill(1);
    const commits = counted();
    const none = sql`select id from things where age > 100`;
    expect(await sweepRows(db, { name: "s", table: "things", ids: none })).toBe(0);
    expect(commits()).toBe(0);
  });

  test("may keep the rows and change them, under another name in the query", async () => {
    await fill(5);
    const ids = sql`select t.id from things t join things o on o.id = t.id where t.age > 10`;
    const sweep = { name: "s", table: "things", alias: "t", ids, set: sql`age = 0`, atOnce: 2 };
    expect(await sweepRows(db, sweep)).toBe(3);
    expect(await db.reads.query(sql`select id from things where age = 0 order by id`)).toHaveLength(3);
    expect(await left()).toHaveLength(5);
  });

  test("end after the batch that runs when they may not go on", async () => {
    await fill(20);
    let asked = 0;
    const going = () => ++asked <= 3;
    expect(await sweepRows(db, { name: "s", table: "things", ids: old, atOnce: 2, going })).toBe(4);
    expect(await sweepRows(db, { name: "s", table: "things", ids: old, going: () => false })).toBe(0);
    expect(await left()).toHaveLength(16);
  });

  test("let a change that waits in between two batches", async () => {
    await fill(6);
    const order: string[] = [];
    let batch = 0;
    await inBatches({ full: 1 }, async () => {
      if (batch === 0) setImmediate(() => order.push("other"));
      order.push(`batch ${batch}`);
      return batch++ === 0 ? 1 : 0;
    });
    expect(order).toEqual(["batch 0", "other", "batch 1"]);
  });

  test("decide on locked rows, each batch behind the last one", async () => {
    await fill(10);
    const batches: (readonly number[])[] = [];
    const swept = await sweepLocked(db, {
      name: "s",
      after: (last) => sql`select id from things where id > ${last} and age > 10 order by id`,
      atOnce: 2,
      locks: (ids) => ids.map((id) => lock(Things, id)),
      decide(draft, ids) {
        batches.push(ids);
        // What a decision keeps is not found a second time.
        for (const { id } of draft.findAll(Things, [...ids])) if (id !== 5) draft.delete(Things, id);
      },
    });
    expect(swept).toBe(5);
    expect(batches).toEqual([[1, 3], [5, 7], [9]]);
    expect(await left()).toEqual([2, 4, 5, 6, 8, 10]);
  });
});

describe.runIf(dialects.includes("postgresql"))("two processes", () => {
  test("sweep one table, and keep a row that somebody renewed while it was waited for", async () => {
    const { url, drop } = await createTestDatabase("postgresql", [Things]);
    const processes = [await connectTestDatabase(url, [Things]), await connectTestDatabase(url, [Things])] as const;
    const [one] = processes;
    await one.commits.submit({
      name: "fill",
      locks: [],
      decide(draft) {
        for (let id = 1; id <= 400; id++) draft.insert(Things, { id, age: 20 });
      },
    });
    const renewal = one.commits.execute({
      name: "renew",
      statements: [
        one.reads.statement("renew", sql`update things set age = 1 where id = 7`),
        one.reads.statement("meanwhile", sql`select pg_sleep(0.3)`),
      ],
    });
    const sweeps = processes.map((db) => sweepRows(db, { name: "s", table: "things", ids: old, atOnce: 30 }));
    const counts = await Promise.all(sweeps);
    await renewal;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(399);
    expect(await one.reads.query(sql`select id from things`)).toHaveLength(1);
    for (const db of processes) await db.close();
    await drop();
  });
});
