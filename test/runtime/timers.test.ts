// Durable timers: rows that fire once, at their time or at the next start, whatever their length.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../src/lib/clock.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, Jobs, panelOn, type Panel } from "./fixture.ts";

const DAY = 86_400_000;

describe.each(dialects)("timers on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panel: Panel;

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
    panel = panelOn(db, { clock });
  });
  afterEach(async () => {
    await panel.supervisor.drain();
    await db.dispose();
  });

  test("thirty milliseconds of the real clock", async () => {
    const real = await openTestDatabase(dialect, entities);
    const there = panelOn(real);
    await there.supervisor.start();
    const id = await there.create({ patience: 30 });
    const armed = Date.now();
    await there.ask(id, "wait");
    await eventually(() => there.state(id)).toBe("over");
    const entry = (await there.journal(id)).at(-1);
    expect(entry?.at).toBeGreaterThanOrEqual(armed + 30);
    expect(entry?.at).toBeLessThan(armed + 900);
    await there.supervisor.drain();
    await real.dispose();
  });

  test("thirty days, and not a millisecond before", async () => {
    await panel.supervisor.start();
    const id = await panel.create({ patience: 30 * DAY });
    const other = await panel.create({ patience: 30 * DAY - 1 });
    await panel.ask(id, "wait");
    await panel.ask(other, "wait");
    clock.advance(30 * DAY - 1);
    // The neighbour's timer proves that the due ones have been looked at.
    await eventually(() => panel.state(other)).toBe("over");
    expect(await panel.state(id)).toBe("waiting");
    clock.advance(1);
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.journal(id)).at(-1)).toMatchObject({
      event: "xstate.after.patience.job.waiting",
      took: 30 * DAY,
      actor: "timer",
    });
    expect(await panel.timers(id)).toEqual([]);
  });

  test("those that fell due while nothing ran fire at the start", async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => panel.create({ patience: DAY })));
    await Promise.all(ids.map((id) => panel.ask(id, "wait")));
    clock.advance(3 * DAY);
    await panel.supervisor.start();
    await eventually(async () =>
      (await Promise.all(ids.map((id) => panel.state(id)))).every((state) => state === "over"),
    ).toBe(true);
    expect((await panel.events(ids[0] ?? 0)).length).toBe(1);
  });

  test("leaving the state cancels, entering it again arms anew", async () => {
    await panel.supervisor.start();
    const [left, again] = [await panel.create({ patience: 500 }), await panel.create({ patience: 500 })];
    await panel.ask(left, "wait");
    await panel.ask(left, "stop");
    expect(await panel.timers(left)).toEqual([]);
    await panel.ask(again, "wait");
    clock.advance(300);
    await panel.ask(again, "again");
    expect(await panel.timers(again)).toMatchObject([{ dueAt: clock.now() + 500 }]);
    clock.advance(499);
    const probe = await panel.create({ patience: 0 });
    await panel.ask(probe, "wait");
    clock.advance(0);
    await eventually(() => panel.state(probe)).toBe("over");
    expect([await panel.state(left), await panel.state(again)]).toEqual(["idle", "waiting"]);
    clock.advance(1);
    await eventually(() => panel.state(again)).toBe("over");
    expect(await panel.state(left)).toBe("idle");
  });

  test("one that memory still knows but the database does not anymore does nothing", async () => {
    await panel.supervisor.start();
    const id = await panel.create({ patience: 500 });
    await panel.ask(id, "wait");
    const [timer] = await panel.timers(id);
    await db.commits.submit({ name: "lose", locks: [], decide: (draft) => draft.delete(TimerRows, timer?.id ?? "") });
    clock.advance(500);
    const probe = await panel.create({ patience: 0 });
    await panel.ask(probe, "wait");
    clock.advance(1);
    await eventually(() => panel.state(probe)).toBe("over");
    expect(await panel.state(id)).toBe("waiting");
  });

  test("five thousand that are overdue all fire once", async () => {
    const ids = await Promise.all(Array.from({ length: 5000 }, () => panel.create({ patience: 10 })));
    await Promise.all(ids.map((id) => panel.ask(id, "wait")));
    clock.advance(DAY);
    await panel.supervisor.start();
    await eventually(
      async () => (await db.reads.find(TimerRows, `job:${ids.at(-1)}:xstate.after.patience.job.waiting`)) === undefined,
    ).toBe(true);
    await eventually(
      async () =>
        (await Promise.all(ids.map((id) => db.reads.find(Jobs, id)))).filter((row) => row?.count === 1 && row.rev === 3)
          .length,
    ).toBe(5000);
    expect(panel.errors).toEqual([]);
  });
});
