// What the committer tells those who watch, as exact counts of what real commits did.
import { defineEntity, p } from "@mikro-orm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Committer, entity, lock, sql } from "../../src/db/index.ts";
import type { SignalTable } from "../../src/lib/signal-table.ts";
import { Signals } from "../../src/lib/signals.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { id: p.bigint("number").primary().autoincrement(false), name: p.text().unique() },
  }),
);

describe.each(dialects)("signals of commits on %s", (dialect) => {
  let db: TestDatabase;
  let commits: Committer;
  let batches: SignalTable["commit.batch"][];
  let units: SignalTable["commit.unit"][];
  let retries: SignalTable["commit.retry"][];
  let statements: SignalTable["commit.statements"][];
  beforeEach(async () => {
    db = await openTestDatabase(dialect, [Things]);
    const signals = new Signals();
    [batches, units, retries, statements] = [[], [], [], []];
    signals.listen("commit.batch", (fields) => batches.push(fields));
    signals.listen("commit.unit", (fields) => units.push(fields));
    signals.listen("commit.retry", (fields) => retries.push(fields));
    signals.listen("commit.statements", (fields) => statements.push(fields));
    commits = new Committer(db.store, db.tables, { now: Date.now, onListenerError: () => {}, signals });
    // Ids are reserved, so that no batch below waits for them.
    await add("first");
    // A batch is told after its answers are given.
    await expect.poll(() => ends(batches)).toEqual(["empty", "committed"]);
    for (const list of [batches, units, retries]) list.length = 0;
  });
  afterEach(async () => {
    await commits.drain();
    await db.dispose();
  });

  const add = (name: string) =>
    commits.submit({
      name: "thing.add",
      locks: [],
      decide: (draft) => {
        const id = draft.nextId("things");
        draft.insert(Things, { id, name });
        return id;
      },
    });
  const ends = (list: readonly { readonly ended: string }[]) => list.map(({ ended }) => ended);

  test("units of one tick are one batch with their rows", async () => {
    await Promise.all(["a", "b", "c"].map(add));
    await expect.poll(() => batches.length).toBe(1);
    expect(batches).toMatchObject([{ units: 3, rows: 3, ended: "committed", waiting: 0 }]);
    expect(units).toMatchObject(Array.from({ length: 3 }, () => ({ name: "thing.add", ended: "done" })));
    expect(retries).toEqual([]);
    for (const { ms } of [...batches, ...units]) expect(ms).toBeGreaterThanOrEqual(0);
  });

  test("a refusal, a decision that writes nothing, and one that asks for its row again", async () => {
    const refused = commits.submit({
      name: "thing.refuse",
      locks: [],
      decide: () => {
        throw new RangeError("no");
      },
    });
    await expect(refused).rejects.toThrow("no");
    const id = await add("read");
    await commits.submit({ name: "thing.read", locks: [], decide: (draft) => draft.find(Things, id)?.name });
    await expect.poll(() => batches.length).toBe(4);
    expect(ends(batches)).toEqual(["empty", "committed", "empty", "empty"]);
    expect(units.map(({ name, ended }) => [name, ended])).toEqual([
      ["thing.refuse", "refused"],
      ["thing.add", "done"],
      ["thing.read", "done"],
    ]);
    expect(retries).toEqual([{ why: "locks", units: 1 }]);
  });

  test("a batch that fails because of one member is told, and its members' own batches", async () => {
    const results = await Promise.allSettled(["x", "first", "y"].map(add));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await expect.poll(() => batches.length).toBe(4);
    expect(batches.map(({ units: members, rows, ended }) => [members, rows, ended])).toEqual([
      [3, 0, "failed"],
      [1, 1, "committed"],
      [1, 0, "failed"],
      [1, 1, "committed"],
    ]);
    expect(ends(units)).toEqual(["done", "refused", "done"]);
    expect(retries).toEqual([{ why: "singly", units: 3 }]);
  });

  test("set-based changes, and what is refused when the committer has ended", async () => {
    const id = await add("set");
    const rename = db.reads.statement("rename", sql`update things set name = ${"renamed"} where id = ${id}`);
    await commits.execute({ name: "things.rename", statements: [rename] });
    await expect(commits.execute({ name: "things.none", statements: [{ ...rename, rows: 2 }] })).rejects.toThrow();
    expect(statements).toMatchObject([
      { name: "things.rename", statements: 1, ended: "done" },
      { name: "things.none", statements: 1, ended: "refused" },
    ]);
  });

  test("a listener that throws costs no commit", async () => {
    const signals = new Signals();
    signals.listen("commit.unit", () => {
      throw new Error("a defect");
    });
    const watched = new Committer(db.store, db.tables, { now: Date.now, onListenerError: () => {}, signals });
    const locks = [lock(Things, 1)];
    expect(await watched.submit({ name: "fine", locks, decide: () => "fine" })).toBe("fine");
    await watched.drain();
  });
});
