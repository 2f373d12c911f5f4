// Actors by state are counted in the commits that move them: whatever happens, the counters are what counting the rows
// would give.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { stateCounts, stateCountsAt, type StateCount } from "../../src/runtime/index.ts";
import { connectTestDatabase, dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { entities, panelOn } from "./fixture.ts";

describe.each(dialects)("counters of states on %s", (dialect) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
  });
  afterEach(() => db.dispose());

  const byState = (counts: readonly StateCount[]) =>
    Object.fromEntries(counts.map(({ state, total }) => [state, total]));
  const counted = async () => byState(await stateCounts(db.reads, ["job"]));
  const there = async () =>
    byState(await db.reads.query<StateCount>(sql`select mstate as state, count(*) as total from jobs group by mstate`));
  const rows = async () => (await db.reads.query(sql`select 1 from state_counts`)).length;

  test("creations, transitions and deletions in many batches add up", async () => {
    const panel = panelOn(db);
    const ids = await Promise.all(Array.from({ length: 60 }, () => panel.create()));
    await Promise.all(
      ids.flatMap((id, index) => [panel.ask(id, "wait"), ...(index % 3 === 0 ? [panel.ask(id, "stop")] : [])]),
    );
    await Promise.all(ids.slice(0, 10).map((id) => panel.remove(id)));
    expect(await counted()).toEqual(await there());
    expect(byState((await stateCountsAt(db.reads)).counts)).toEqual(await there());
    expect(Object.values(await counted()).reduce((sum, total) => sum + total, 0)).toBe(50);
  });

  test("a transition that leads back where it began counts nothing", async () => {
    const panel = panelOn(db);
    const id = await panel.create();
    const before = await rows();
    await Promise.all(Array.from({ length: 20 }, () => panel.ask(id, "count")));
    expect(await counted()).toEqual(await there());
    expect(await rows()).toBe(before);
  });

  test("what is refused counts nothing", async () => {
    const panel = panelOn(db);
    const id = await panel.create();
    await expect(panel.ask(id, "boom")).rejects.toThrow();
    await expect(panel.ask(99_999, "wait")).rejects.toThrow();
    expect(await counted()).toEqual(await there());
  });

  if (dialect === "postgresql")
    test("two processes count side by side", async () => {
      const other = await connectTestDatabase(db.url, entities);
      try {
        const panels = [panelOn(db), panelOn(other)] as const;
        const turn = (index: number) => panels[index % 2 === 0 ? 0 : 1];
        const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => turn(index).create()));
        // Each actor is moved by both: a counter of one process goes below zero.
        await Promise.all(ids.flatMap((id) => panels.map((panel) => panel.ask(id, "wait"))));
        await Promise.all(ids.slice(0, 20).map((id, index) => turn(index + 1).remove(id)));
        expect(await counted()).toEqual(await there());
      } finally {
        await other.close();
      }
    });
});
