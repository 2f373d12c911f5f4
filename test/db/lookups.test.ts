// Rows by key, looked up by many at once.
import { defineEntity, p } from "@mikro-orm/core";
import { describe, expect, test } from "vitest";
import { entity } from "../../src/db/index.ts";
import { Lookups } from "../../src/db/lookups.ts";
import type { Sql } from "../../src/db/store.ts";
import { dialects, openTestDatabase } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { id: p.bigint("number").primary().autoincrement(false), name: p.text() },
  }),
);

describe.each(dialects)("lookups on %s", (dialect) => {
  test("each gets its own row, and undefined where there is none", async () => {
    const db = await openTestDatabase(dialect, [Things]);
    const ids = Array.from({ length: 2500 }, (_, index) => index + 1);
    await Promise.all(
      ids.map((id) =>
        db.commits.submit({
          name: "make",
          locks: [],
          decide: (draft) => draft.insert(Things, { id, name: `thing ${id}` }),
        }),
      ),
    );
    const asked = [...ids, 0, -1, 5000, ...ids.slice(0, 10)];
    const found = await Promise.all(asked.map((id) => db.reads.find(Things, id)));
    expect(found.map((row) => row?.name)).toEqual(asked.map((id) => (ids.includes(id) ? `thing ${id}` : undefined)));
    await db.dispose();
  });
});

test.runIf(dialects.includes("postgresql"))("what is asked for in one tick is one query", async () => {
  const db = await openTestDatabase("postgresql", [Things]);
  await db.commits.submit({ name: "make", locks: [], decide: (draft) => draft.insert(Things, { id: 1, name: "one" }) });
  const queries: Sql[] = [];
  const lookups = new Lookups((sql) => {
    queries.push(sql);
    return db.store.read(sql);
  });
  const table = db.tables.of(Things);
  const rows = await Promise.all([1, 2, 1].map((id) => lookups.find(table, id)));
  expect(rows).toEqual([{ id: 1, name: "one" }, undefined, { id: 1, name: "one" }]);
  expect(queries).toHaveLength(1);
  await db.dispose();
});

test("a query that fails is everybody's failure, and the next one is tried again", async () => {
  const db = await openTestDatabase("sqlite", [Things]);
  let away = true;
  const lookups = new Lookups(async () => {
    if (away) throw new Error("away");
    return [{ id: 2, name: "two" }];
  });
  const table = db.tables.of(Things);
  const failed = await Promise.allSettled([1, 2].map((id) => lookups.find(table, id)));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  away = false;
  expect(await lookups.find(table, 2)).toEqual({ id: 2, name: "two" });
  await db.dispose();
});
