// Several panel processes on one PostgreSQL: every process executes every command, and each timer and effect is carried
// out once.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock, sql, type Database } from "../../src/db/index.ts";
import type { EffectRun } from "../../src/runtime/testing.ts";
import { connectTestDatabase, dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, Jobs, origin, panelOn, queued, type Panel } from "./fixture.ts";
import { joinShards, type Part } from "./shared-shards.ts";

describe.skipIf(!dialects.includes("postgresql"))("two processes on PostgreSQL", () => {
  let one: TestDatabase;
  let two: Database;
  let panels: [Panel, Panel];
  let parts: Part[];
  let runs: EffectRun[];

  beforeEach(async () => {
    one = await openTestDatabase("postgresql", entities);
    two = await connectTestDatabase(one.url, entities);
    runs = [];
    const work = queued(async (_, run) => runs.push(run), { concurrency: 16 });
    const [first, second] = [await joinShards(one), await joinShards(two)];
    parts = [first, second];
    panels = [panelOn(one, { work, ...first }), panelOn(two, { work, ...second })];
  });
  afterEach(async () => {
    for (const panel of panels) await panel.supervisor.drain(50);
    for (const { processes } of parts) await processes.stop();
    await two.close();
    await one.dispose();
  });

  const created = async (count: number, patience = 1000) =>
    Promise.all(Array.from({ length: count }, () => panels[0].create({ patience })));

  test("fifty hot actors, commands of several actors in every order: nothing lost, no deadlock left to a caller", async () => {
    const ids = await created(50);
    const pair = (panel: Panel, db: Database, a: number, b: number) =>
      db.commits.submit({
        name: "job.both",
        locks: [lock(Jobs, a), lock(Jobs, b)],
        decide: (draft) => {
          for (const id of new Set([a, b])) panel.supervisor.step(draft, panel.kind, id, { type: "count" }, origin);
        },
      });
    const asked = Array.from({ length: 2000 }, (_, index) => {
      const panel = panels[index % 2] ?? panels[0];
      const [a, b] = [ids[(index * 13) % 50] ?? 0, ids[(index * 31 + 17) % 50] ?? 0];
      return { touched: new Set([a, b]), done: pair(panel, index % 2 === 0 ? one : two, a, b) };
    });
    await Promise.all(asked.map(({ done }) => done));
    const expected = asked.reduce((sum, { touched }) => sum + touched.size, 0);
    const [sums] = await one.reads.query<{ count: number; rev: number }>(
      sql`select sum(count) as count, sum(rev) as rev from jobs`,
    );
    const [journal] = await one.reads.query<{ entries: number }>(sql`select count(*) as entries from journal`);
    expect(sums).toEqual({ count: expected, rev: expected + 50 });
    expect(journal?.entries).toBe(expected + 50);
  });

  test("rows locked for reading in one process and for writing in the other never wait in a circle", async () => {
    const ids = await created(20);
    const read = (db: Database, target: number, sources: readonly number[]) =>
      db.commits.submit({
        name: "job.sum",
        locks: [lock(Jobs, target), ...sources.map((id) => lock(Jobs, id, "read"))],
        decide: (draft) => {
          draft.update(Jobs, target, {
            count: (draft.find(Jobs, target)?.count ?? 0) + draft.findAll(Jobs, sources).length,
          });
        },
      });
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 400 }, (_, index) => {
        const target = ids[(index * 7) % 20] ?? 0;
        return read(
          index % 2 === 0 ? one : two,
          target,
          ids.filter((id) => id !== target && (id + index) % 3 === 0),
        );
      }),
    );
    const [deadlocks] = await one.reads.query<{ deadlocks: number }>(
      sql`select deadlocks from pg_stat_database where datname = current_database()`,
    );
    expect(deadlocks?.deadlocks).toBe(0);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test("a due timer that both see fires once", async () => {
    const ids = await created(300, 1);
    await Promise.all(ids.map((id) => panels[0].ask(id, "wait")));
    await Promise.all(panels.map((panel) => panel.supervisor.start()));
    const over = sql<{
      over: number;
    }>`select count(*) as over from jobs where mstate = 'over' and count = 1 and rev = 3`;
    await eventually(async () => (await one.reads.query(over))[0]?.over).toBe(300);
    expect(await one.reads.query(sql`select id from timers`)).toEqual([]);
    expect(panels.flatMap((panel) => panel.errors)).toEqual([]);
  });

  test("an effect that both see is claimed by one, and runs once", async () => {
    const ids = await created(200);
    await Promise.all(ids.map((id, index) => (panels[index % 2] ?? panels[0]).ask(id, "go")));
    await Promise.all(panels.map((panel) => panel.supervisor.start()));
    const over = sql<{ over: number }>`select count(*) as over from jobs where mstate = 'over'`;
    await eventually(async () => (await one.reads.query(over))[0]?.over).toBe(200);
    expect(runs.map((run) => run.idempotencyKey).toSorted()).toEqual(ids.map((id) => `job:${id}:2:0`).toSorted());
    expect(runs.every((run) => run.attempt === 1)).toBe(true);
  });

  test("commands against the effects of the same actors: no deadlock, no effect lost", async () => {
    await Promise.all(panels.map((panel) => panel.supervisor.start()));
    const ids = await created(30);
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        ids.flatMap((id, index) => [
          (panels[index % 2] ?? panels[0]).ask(id, "go"),
          (panels[(index + 1) % 2] ?? panels[0]).ask(id, "again"),
          (panels[index % 2] ?? panels[0]).ask(id, "stop"),
        ]),
      );
    }
    await Promise.all(ids.map((id) => panels[0].ask(id, "go")));
    await eventually(async () =>
      (await Promise.all(ids.map((id) => panels[1].state(id)))).every((state) => state === "over" || state === "busy"),
    ).toBe(true);
    const over = sql<{ over: number }>`select count(*) as over from jobs where mstate = 'over'`;
    await eventually(async () => (await one.reads.query(over))[0]?.over).toBe(30);
    expect(await one.reads.query(sql`select id from effects`)).toEqual([]);
    const [stats] = await one.reads.query<{ deadlocks: number }>(
      sql`select deadlocks from pg_stat_database where datname = current_database()`,
    );
    expect(stats?.deadlocks).toBe(0);
  });
});
