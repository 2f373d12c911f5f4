// Prepared statements of the PostgreSQL store: used, and no trouble when the server has forgotten them or their tables
// have changed.
import { defineEntity, p } from "@mikro-orm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity, lock } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);

describe.skipIf(!dialects.includes("postgresql"))("prepared statements", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase("postgresql", [Counters]);
    await db.commits.submit({
      name: "insert",
      locks: [],
      decide: (draft) => draft.insert(Counters, { id: 1, value: 0 }),
    });
  });
  afterAll(() => db.dispose());

  const add = () =>
    db.commits.submit({
      name: "add",
      locks: [lock(Counters, 1)],
      decide: (draft) => draft.update(Counters, 1, { value: (draft.find(Counters, 1)?.value ?? 0) + 1 }).value,
    });
  const run = (text: string) => db.commits.execute({ name: "run", statements: [{ label: "run", text, values: [] }] });

  // One at a time, so that one connection carries all of it.
  test("what comes again is prepared once", async () => {
    for (let n = 1; n <= 5; n++) expect(await add()).toBe(n);
    const [prepared] = await run(
      "select name, generic_plans + custom_plans as used from pg_prepared_statements where statement like 'update counters%'",
    );
    expect(prepared?.rows).toEqual([{ name: expect.any(String), used: 5 }]);
  });

  test("a change goes through when they were forgotten, and when their rows have changed", async () => {
    const before = await add();
    await run("deallocate all");
    expect(await add()).toBe(before + 1);
    await run("alter table counters alter column value type integer");
    expect(await add()).toBe(before + 2);
    expect(await add()).toBe(before + 3);
  });

  test("so does a read", async () => {
    const before = await db.reads.find(Counters, 1);
    expect(await db.reads.find(Counters, 1)).toEqual(before);
    await run("alter table counters add column later text");
    expect(await db.reads.find(Counters, 1)).toEqual(before);
  });
});
