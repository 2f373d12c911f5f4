// Charts change while rows stay: older states are lifted when they are read, newer ones are refused.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock, sql } from "../../src/db/index.ts";
import { EffectRows, TimerRows } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { entities, Jobs, panelOn, queued } from "./fixture.ts";

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

  // rule inspector.chart.3
  test("an actor that a newer panel wrote is put aside, and a newer panel goes on with it", async () => {
    let worked = 0;
    const work = queued(async () => ++worked);
    const older = panelOn(db, { work });
    const [waits, works, links] = [await older.create({ patience: 20 }), await older.create(), await older.create()];
    await older.ask(waits, "wait");
    await older.ask(works, "go");
    await older.ask(links, "link");
    for (const id of [waits, works, links]) await stored(id, { mver: 2 });
    const before = await Promise.all([waits, works, links].map((id) => older.row(id)));
    const linked: number[] = [];
    const line = { mode: "resident" as const, start: ({ id }: { id: number }) => (linked.push(id), () => {}) };
    const started = panelOn(db, { work, line });
    await started.supervisor.start();
    const said = `job ${waits}: job ${waits} was written by chart version 2, this is 1: a newer panel goes on with it`;
    await expect.poll(() => started.errors).toEqual([said]);
    await started.supervisor.drain();
    expect(await Promise.all([waits, works, links].map((id) => started.row(id)))).toEqual(before);
    expect([await started.timers(waits), await started.effects(works)].map((rows) => rows.length)).toEqual([1, 1]);
    expect([worked, linked, started.errors]).toEqual([0, [], [said]]);

    const newer = panelOn(db, { work, line, definition: { version: 2 } });
    await newer.supervisor.start();
    await expect.poll(() => Promise.all([newer.state(waits), newer.state(works)])).toEqual(["over", "over"]);
    await newer.supervisor.drain();
    expect([worked, linked, newer.errors]).toEqual([1, [links], []]);
  });

  // rule inspector.chart.3
  test("timers and effects that only a newer panel knows keep none of this one's waiting, and stay", async () => {
    const work = queued(async () => "done");
    const before = panelOn(db, { work });
    const [waits, works] = [await before.create({ patience: 1 }), await before.create()];
    await before.ask(waits, "wait");
    await before.ask(works, "go");
    const [timer] = await before.timers(waits);
    const [effect] = await before.effects(works);
    if (!timer || !effect) throw new Error("nothing waits");
    // More than are read at once, and earlier than what this panel knows.
    const numbers = Array.from({ length: 2100 }, (_, number) => 1000 + number);
    const strange = [
      { kind: "newer", src: "work" },
      { kind: "job", src: "newer" },
    ];
    await db.commits.submit({
      name: "newer",
      locks: [],
      decide(draft) {
        for (const actorId of numbers) {
          draft.insert(TimerRows, { ...timer, id: `newer:${actorId}`, kind: "newer", actorId, dueAt: 1 });
          for (const each of strange)
            draft.insert(EffectRows, { ...effect, ...each, id: `${each.src}:${actorId}`, actorId, nextAt: 1 });
        }
      },
    });
    const panel = panelOn(db, { work });
    await panel.supervisor.start();
    await expect.poll(() => Promise.all([panel.state(waits), panel.state(works)])).toEqual(["over", "over"]);
    await panel.supervisor.drain();
    expect(panel.errors).toEqual([]);
    const left = (table: string) => db.reads.query(sql`select count(*) as n from ${sql.table(table)}`);
    expect([await left("timers"), await left("effects")]).toEqual([[{ n: 2100 }], [{ n: 4200 }]]);
  });

  // rule inspector.chart.3
  test("many actors that are put aside keep no other waiting, and fill no log", async () => {
    const work = queued(async () => "done");
    const before = panelOn(db, { work });
    const [waits, works] = [await before.create({ patience: 1 }), await before.create()];
    await before.ask(waits, "wait");
    await before.ask(works, "go");
    const [waiting, working] = await Promise.all([waits, works].map((id) => before.row(id)));
    const [timer] = await before.timers(waits);
    const [effect] = await before.effects(works);
    if (!waiting || !working || !timer || !effect) throw new Error("nothing waits");
    // More than are read at once, due shortly before: a newer panel beside this one has its time to take them.
    const numbers = Array.from({ length: 2100 }, (_, number) => 1000 + number);
    const at = Date.now() - 1000;
    await db.commits.submit({
      name: "newer",
      locks: [lock(TimerRows, timer.id), lock(EffectRows, effect.id)],
      decide(draft) {
        for (const id of numbers) {
          draft.insert(Jobs, { ...waiting, id, name: `newer ${id}`, mver: 2 });
          draft.insert(TimerRows, { ...timer, id: `job:${id}:patience`, actorId: id, dueAt: at });
          draft.insert(Jobs, { ...working, id: id + 5000, name: `newer ${id + 5000}`, mver: 2 });
          const run = { id: `job:${id + 5000}:work`, run: `job:${id + 5000}:1:0`, actorId: id + 5000 };
          draft.insert(EffectRows, { ...effect, ...run, nextAt: at });
        }
        draft.update(TimerRows, timer.id, { dueAt: at + 500 });
        draft.update(EffectRows, effect.id, { nextAt: at + 500 });
      },
    });
    const panel = panelOn(db, { work });
    await panel.supervisor.start();
    const states = () => Promise.all([panel.state(waits), panel.state(works)]);
    await expect.poll(states).toEqual(["over", "over"]);
    await panel.supervisor.drain();
    const said = panel.errors.filter((error) => error.includes("a newer panel goes on with it"));
    expect(said.length).toBeLessThanOrEqual(1000);
    expect(panel.errors.filter((error) => !said.includes(error))).toEqual([]);
    // As they were, or put off where this took long.
    const left = (table: string) =>
      db.reads.query(sql`select count(*) as n from ${sql.table(table)} where actor_id >= ${numbers[0]}`);
    expect([await left("timers"), await left("effects")]).toEqual([[{ n: 2100 }], [{ n: 2100 }]]);
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
