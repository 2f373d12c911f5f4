// What a dead process left: effects run again, residents begin again, and a clean end gives back what it held.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/db/index.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import type { EffectRun } from "../../src/runtime/testing.ts";
import { connectTestDatabase, dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { endless, entities, panelOn, queued, type Panel } from "./fixture.ts";

describe.each(dialects)("resumption on %s", (dialect) => {
  let db: TestDatabase;
  let again: Database | undefined;
  let clock: ManualClock;
  const panels: Panel[] = [];

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
  });
  afterEach(async () => {
    for (const panel of panels.splice(0)) await panel.supervisor.drain(20);
    await again?.close();
    again = undefined;
    await db.dispose();
  });

  /** A second process on the database, as after a kill: nothing of the first one's memory. */
  const restarted = async (run: (input: unknown, run: EffectRun) => Promise<unknown>, bootId = "second") => {
    again = await connectTestDatabase(db.url, entities, () => clock.now());
    const panel = panelOn(again, { clock, work: queued(run), bootId });
    panels.push(panel);
    return panel;
  };

  /**
   * A clock that stands still: the process of which it is the clock renews no lease and sees nothing come due, as a
   * dead one.
   */
  const deadClock = () => new ManualClock(clock.now());
  /** Time goes on, a second per look, until something is so. */
  const inTime = <T>(look: () => Promise<T>) =>
    eventually(() => {
      clock.advance(1000);
      return look();
    });

  test("an effect that a dead process ran is run again under its key, as the next attempt", async () => {
    const first = panelOn(db, { clock: deadClock(), bootId: "first" });
    await first.supervisor.start();
    const id = await first.create();
    await first.ask(id, "go");
    await eventually(async () => (await first.effects(id))[0]?.state).toBe("running");

    const runs: EffectRun[] = [];
    const second = await restarted(async (_, run) => runs.push(run));
    await second.supervisor.start();
    await inTime(() => second.state(id)).toBe("over");
    expect(runs.map(({ attempt, idempotencyKey }) => [attempt, idempotencyKey])).toEqual([[2, `job:${id}:2:0`]]);
  });

  test("what the overtaken process still comes to is not taken", async () => {
    let finish: (output: unknown) => void = () => {};
    const work = queued((_, run) => Promise.race([endless(run), new Promise((resolve) => (finish = resolve))]));
    const first = panelOn(db, { clock: deadClock(), bootId: "first", work });
    panels.push(first);
    await first.supervisor.start();
    const id = await first.create();
    await first.ask(id, "go");
    await eventually(async () => (await first.effects(id))[0]?.state).toBe("running");
    const second = await restarted(async () => "never");
    await second.ask(id, "stop");
    await second.ask(id, "go");
    finish("stale");
    await second.supervisor.start();
    await inTime(() => second.state(id)).toBe("over");
    expect((await second.row(id)).mctx).toEqual({ note: '"never"' });
  });

  test("a clean end gives its effects back: the next process need not wait for a lease", async () => {
    const first = panelOn(db, { clock, bootId: "first" });
    await first.supervisor.start();
    const id = await first.create();
    await first.ask(id, "go");
    await eventually(async () => (await first.effects(id))[0]?.state).toBe("running");
    await first.supervisor.drain(0);
    expect(await first.effects(id)).toMatchObject([{ state: "pending", owner: "" }]);
    const second = await restarted(async () => "second");
    await second.supervisor.start();
    await eventually(() => second.state(id)).toBe("over");
  });

  test("a lease is kept as long as the work lasts", async () => {
    let finish: (output: unknown) => void = () => {};
    const first = panelOn(db, {
      clock,
      bootId: "first",
      work: queued(() => new Promise((resolve) => (finish = resolve)), { timeoutMs: 600_000 }),
    });
    panels.push(first);
    await first.supervisor.start();
    const id = await first.create();
    await first.ask(id, "go");
    await eventually(async () => (await first.effects(id))[0]?.state).toBe("running");
    const began = clock.now();
    await inTime(async () => ((await first.effects(id))[0]?.nextAt ?? 0) - began).toBeGreaterThan(90_000);
    expect(await first.effects(id)).toMatchObject([{ attempt: 1 }]);
    finish("kept");
    await eventually(() => first.state(id)).toBe("over");
  });

  test("another process that ends the effect aborts it here at the next renewal", async () => {
    let signal: AbortSignal | undefined;
    const work = queued(
      (_, run) => {
        signal = run.signal;
        return endless(run);
      },
      { timeoutMs: 600_000 },
    );
    const first = panelOn(db, { clock, bootId: "first", work });
    panels.push(first);
    await first.supervisor.start();
    const id = await first.create();
    await first.ask(id, "go");
    await eventually(() => signal?.aborted).toBe(false);
    const second = await restarted(async () => {});
    await second.ask(id, "stop");
    await inTime(async () => signal?.aborted).toBe(true);
  });
});
