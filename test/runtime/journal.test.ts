// The journal as a chain: from an actor's newest entry back to its first, whatever other actors wrote in between, and
// after the actor is gone.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { entriesBackFrom, JournalRows, newestEntry } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { entities, panelOn, type Panel } from "./fixture.ts";

describe.each(dialects)("journals on %s", (dialect) => {
  let db: TestDatabase;
  let panel: Panel;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
    panel = panelOn(db);
  });
  afterEach(() => db.dispose());

  const chainOf = async (id: number, count?: number) => {
    const newest = await newestEntry(db.reads, panel.kind, id);
    if (!newest) return [];
    return db.reads.rows(JournalRows, sql`select * from journal where ${entriesBackFrom(newest, count)} order by seq`);
  };

  // rule inspector.read.5
  test("each actor's chain holds all its entries, in order, and no other's", async () => {
    const ids = [await panel.create(), await panel.create(), await panel.create()];
    // Several of one actor share a batch: each names the one before it all the same.
    await Promise.all(Array.from({ length: 60 }, (_, n) => panel.ask(ids[(n * n) % 3] ?? 0, "count")));
    for (const id of ids) {
      const chain = await chainOf(id);
      expect(chain).toEqual(await panel.journal(id));
      expect(chain.map((entry) => entry.seq)).toEqual(
        Array.from({ length: (await panel.row(id)).rev }, (_, n) => n + 1),
      );
    }
  });

  test("a walk ends where it was told to", async () => {
    const id = await panel.create();
    for (let n = 0; n < 5; n++) await panel.ask(id, "count");
    expect((await chainOf(id, 2)).map((entry) => entry.seq)).toEqual([5, 6]);
    expect((await chainOf(id, 1)).map((entry) => entry.seq)).toEqual([6]);
    expect(await chainOf(id, 100)).toHaveLength(6);
  });

  test("what is gone still has its journal", async () => {
    const [gone, other] = [await panel.create(), await panel.create()];
    await panel.ask(gone, "go");
    await panel.remove(gone);
    await panel.remove(other);
    expect((await chainOf(gone)).map((entry) => [entry.seq, entry.event, entry.toState])).toEqual([
      [1, "created", "idle"],
      [2, "go", "busy"],
      [3, "deleted", "deleted"],
    ]);
    expect(await chainOf(other)).toHaveLength(2);
    expect(await chainOf(99_999)).toEqual([]);
  });
});
