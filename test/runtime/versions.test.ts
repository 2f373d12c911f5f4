// Charts change while rows stay: older states are lifted when they are read, newer ones are refused.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { entities, Jobs, panelOn } from "./fixture.ts";

describe.each(dialects)("chart versions on %s", (dialect) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
  });
  afterEach(() => db.dispose());

  const stored = (id: number, patch: { mstate?: string; mver: number; mctx?: Record<string, unknown> }) =>
    db.commits.submit({ name: "store", locks: [lock(Jobs, id)], decide: (draft) => draft.update(Jobs, id, patch) });

  // rule inspector.chart.3
  test("a row of an older version is lifted through every version between, and written as the newest", async () => {
    const panel = panelOn(db, {
      definition: {
        version: 3,
        upcasters: {
          1: ({ state, context }) => ({
            state: state === "resting" ? "idle" : state,
            context: { remark: context["memo"] },
          }),
          2: ({ state, context }) => ({ state, context: { note: context["remark"] } }),
        },
      },
    });
    const id = await panel.create();
    await stored(id, { mstate: "resting", mver: 1, mctx: { memo: "kept" } });
    expect(await panel.ask(id, "count")).toEqual({ handled: true, state: "idle" });
    expect(await panel.row(id)).toMatchObject({ mstate: "idle", mver: 3, mctx: { note: "kept" }, count: 1 });
    expect((await panel.journal(id)).at(-1)).toMatchObject({ fromState: "idle", toState: "idle" });
  });

  // rule inspector.chart.3
  test("a row of a newer version is left alone", async () => {
    const panel = panelOn(db);
    const id = await panel.create();
    await stored(id, { mver: 2 });
    const before = await panel.row(id);
    await expect(panel.ask(id, "count")).rejects.toMatchObject({
      name: "ChartTooNew",
      message: expect.stringContaining("version 2"),
    });
    expect(await panel.row(id)).toEqual(before);
  });

  test("a state that no version knows is a fault of that command alone", async () => {
    const panel = panelOn(db);
    const [id, other] = [await panel.create(), await panel.create()];
    await stored(id, { mstate: "nowhere", mver: 1 });
    const [lost, well] = await Promise.allSettled([panel.ask(id, "count"), panel.ask(other, "count")]);
    expect(lost.status === "rejected" && String(lost.reason)).toContain("has no state nowhere");
    expect(well.status).toBe("fulfilled");
  });
});
