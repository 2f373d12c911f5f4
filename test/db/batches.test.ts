// What units of one batch may know of each other: order, duplicates, refusals that rest on a neighbour, and ids that
// run out.
import { defineEntity, p } from "@mikro-orm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { entity, lock, sql, StoreUnavailable, UniqueConflict } from "../../src/db/index.ts";
import { Committer } from "../../src/db/commit.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { key: p.text().primary(), name: p.text().unique(), note: p.json<unknown>().nullable() },
  }),
);

describe.each(dialects)("batches on %s", (dialect) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, [Things]);
  });
  afterEach(() => db.dispose());

  const insert = (key: string, name = key) =>
    db.commits.submit({
      name: "insert",
      locks: [],
      decide: (draft) => draft.insert(Things, { key, name, note: null }),
    });
  const names = async () =>
    (await db.reads.query<{ name: string }>(sql`select name from things order by name`)).map(({ name }) => name);

  test("two units of a batch that insert the same key: the first holds, the second is told", async () => {
    const results = await Promise.allSettled([insert("a", "first"), insert("a", "second"), insert("b")]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]?.status === "rejected" && results[1].reason).toMatchObject({
      name: "UniqueConflict",
      table: "things",
      columns: ["key"],
    });
    expect(await names()).toEqual(["b", "first"]);
  });

  test("units that need many ids of several sequences at once, on a database where nothing was reserved yet, get them", async () => {
    const sequences = ["one", "two", "three", "four"];
    const needs = () =>
      db.commits.submit({
        name: "needs",
        locks: [],
        decide: (draft) =>
          sequences.flatMap((sequence) => Array.from({ length: 1000 }, () => `${sequence} ${draft.nextId(sequence)}`)),
      });
    const taken = (await Promise.all([needs(), needs()])).flat();
    expect(new Set(taken).size).toBe(8000);
  });

  test("a refusal that rests on a neighbour which came to nothing is not given", async () => {
    await insert("taken");
    await insert("row");
    // `renames` holds in the batch but not on disk: its name is taken. `reads` must then be decided on the row as it
    // really is.
    const renames = db.commits.submit({
      name: "rename",
      locks: [lock(Things, "row")],
      decide: (draft) => draft.update(Things, "row", { name: "taken" }),
    });
    const reads = db.commits.submit({
      name: "read",
      locks: [lock(Things, "row")],
      decide: (draft) => {
        const name = draft.find(Things, "row")?.name;
        if (name !== "row") throw new Error(`the row is called ${name}`);
        return name;
      },
    });
    await expect(renames).rejects.toBeInstanceOf(UniqueConflict);
    expect(await reads).toBe("row");
  });

  test("five conflicts among two hundred cost nobody else anything", async () => {
    await insert("x", "n7");
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => insert(`k${index}`, `n${index % 196}`)),
    );
    const refused = results.flatMap((result, index) => (result.status === "rejected" ? [index] : []));
    expect(refused).toEqual([7, 196, 197, 198, 199]);
    expect(await names()).toHaveLength(196);
  });

  test("one unit may take more ids than any block holds so far, and none twice", async () => {
    const ids = await db.commits.submit({
      name: "many",
      locks: [],
      decide: (draft) => Array.from({ length: 20_000 }, () => draft.nextId("s")),
    });
    const more = await Promise.all(
      Array.from({ length: 2000 }, () =>
        db.commits.submit({ name: "one", locks: [], decide: (draft) => draft.nextId("s") }),
      ),
    );
    expect(new Set([...ids, ...more]).size).toBe(22_000);
  });

  test("a unit that throws gives its ids back", async () => {
    const take = (fail: boolean) =>
      db.commits.submit({
        name: "take",
        locks: [],
        decide: (draft) => {
          const id = draft.nextId("s");
          if (fail) throw new Error("no");
          return id;
        },
      });
    const first = await take(false);
    await expect(take(true)).rejects.toThrow("no");
    expect(await take(false)).toBe(first + 1);
  });

  test("no ids to be had is said as what it is", async () => {
    const store = Object.assign(Object.create(db.store) as typeof db.store, {
      begin: () => db.store.begin(),
      reserve: () => Promise.reject(new StoreUnavailable("disk full")),
    });
    const commits = new Committer(store, db.tables, { now: Date.now, onListenerError: () => {} });
    const taking = commits.submit({ name: "take", locks: [], decide: (draft) => draft.nextId("s") });
    const other = commits.submit({ name: "other", locks: [], decide: () => "well" });
    await expect(taking).rejects.toThrow("disk full");
    expect(await other).toBe("well");
    await commits.drain();
  });

  test("json comes back as it was, texts, numbers and null too", async () => {
    const notes = ["a text", '{"looks":"like json"}', 7, true, ["ü", null], { a: { b: "c" } }, null];
    await db.commits.submit({
      name: "notes",
      locks: [],
      decide: (draft) => {
        for (const [index, note] of notes.entries())
          draft.insert(Things, { key: `k${index}`, name: `n${index}`, note });
      },
    });
    const rows = await db.reads.rows(Things, sql`select * from things order by key`);
    expect(rows.map((row) => row.note)).toEqual(notes);
  });

  test("a change of nothing is no change", async () => {
    await insert("a", "one");
    for (const patch of [{}, { note: undefined }]) {
      await db.commits.submit({
        name: "none",
        locks: [lock(Things, "a")],
        decide: (draft) => draft.update(Things, "a", patch),
      });
    }
    expect(await names()).toEqual(["one"]);
  });

  test("a swap of places within one batch: gone, and there again under the same key", async () => {
    await insert("a", "one");
    const remove = db.commits.submit({
      name: "remove",
      locks: [lock(Things, "a")],
      decide: (draft) => draft.delete(Things, "a"),
    });
    const replace = db.commits.submit({
      name: "replace",
      locks: [lock(Things, "a")],
      decide: (draft) => draft.insert(Things, { key: "a", name: "two", note: null }),
    });
    await Promise.all([remove, replace]);
    expect(await names()).toEqual(["two"]);
  });
});
