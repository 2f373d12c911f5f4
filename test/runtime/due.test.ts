// Deadlines that follow from a row's columns: kept equal to what `dueOf` says, marked by statements, raised until they
// are carried out.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock, sql } from "../../src/db/index.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, Jobs, panelOn, type Panel } from "./fixture.ts";

const NOW = 1_700_000_000_000;

describe.each(dialects)("due times on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panel: Panel;

  beforeEach(async () => {
    clock = new ManualClock(NOW);
    db = await openTestDatabase(dialect, entities, () => clock.now());
    panel = panelOn(db, { clock });
    await panel.supervisor.start();
  });
  afterEach(async () => {
    await panel.supervisor.drain();
    await db.dispose();
  });

  const change = (id: number, deadline: number | null) =>
    db.commits.submit({
      name: "job.deadline",
      locks: [lock(Jobs, id)],
      decide: (draft) => {
        draft.update(Jobs, id, { deadline });
        panel.supervisor.touch(draft, panel.kind, id);
      },
    });

  test("a row's deadline is armed with it, and at it the actor gets `due`", async () => {
    const id = await panel.create({ deadline: NOW + 90_000 });
    expect(await panel.row(id)).toMatchObject({ dueAt: NOW + 90_000 });
    expect(await panel.timers(id)).toMatchObject([{ name: "due", dueAt: NOW + 90_000 }]);
    clock.advance(90_000);
    await eventually(async () => (await panel.row(id)).count).toBe(1);
    expect(await panel.row(id)).toMatchObject({ deadline: null, dueAt: null });
    expect(await panel.timers(id)).toEqual([]);
  });

  test("a command that moves or clears the column moves or clears the deadline with it", async () => {
    const id = await panel.create({ deadline: NOW + 1000 });
    await change(id, NOW + 5000);
    expect(await panel.timers(id)).toMatchObject([{ dueAt: NOW + 5000 }]);
    await change(id, null);
    expect(await panel.timers(id)).toEqual([]);
    expect((await panel.row(id)).dueAt).toBeNull();
  });

  test("a set-based statement may mark rows due: the command follows at once", async () => {
    const ids = await Promise.all([panel.create(), panel.create(), panel.create()]);
    const [, marked] = ids;
    const at = clock.now();
    await db.commits.execute({
      name: "usage",
      statements: [
        db.reads.statement("mark", sql`update jobs set due_at = ${at}, deadline = ${at} where id = ${marked}`, 1),
        db.reads.statement(
          "arm",
          sql`insert into timers (id, kind, actor_id, name, event, due_at) select 'job:' || id || ':due', 'job', id, 'due', 'due', due_at from jobs where due_at <= ${at}`,
        ),
      ],
    });
    panel.supervisor.pokeTimers();
    await eventually(async () => (await Promise.all(ids.map((id) => panel.row(id)))).map((row) => row.count)).toEqual([
      0, 1, 0,
    ]);
  });

  test("what a command did not settle is raised again, but never in a tight loop", async () => {
    // Patience that does not end at the same moment: leaving `waiting` would make the deadline news again.
    const id = await panel.create({ deadline: NOW + 1000, patience: 600_000 });
    await panel.ask(id, "wait");
    clock.advance(1000);
    // In `waiting` the chart does not take `due`, and the deadline stays: looked at again a minute later.
    await eventually(async () => (await panel.timers(id)).find((timer) => timer.name === "due")?.dueAt).toBe(
      NOW + 61_000,
    );
    await panel.ask(id, "stop");
    expect((await panel.timers(id)).find((timer) => timer.name === "due")?.dueAt).toBe(NOW + 1000);
    // Overdue: it is fired by the next wake-up, for which this clock has to be moved.
    await eventually(async () => {
      clock.advance(0);
      return (await panel.row(id)).count;
    }).toBe(1);
  });

  test("a deadline in the past is carried out at once", async () => {
    const id = await panel.create({ deadline: NOW - 5 });
    clock.advance(0);
    await eventually(async () => (await panel.row(id)).count).toBe(1);
  });
});
