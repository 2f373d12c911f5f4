// Places of errands: lent while one waits, taken again before it goes on, never more than there are.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../src/lib/clock.ts";
import type { Errand, ErrandRun } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, errand, panelOn, type Panel } from "./fixture.ts";

describe.each(dialects)("places of errands on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panel: Panel;

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
  });
  afterEach(async () => {
    const drained = panel.supervisor.drain(20);
    clock.advance(20);
    await drained;
    await db.dispose();
  });

  const start = async (run: (input: unknown, given: ErrandRun) => Promise<unknown>, limits: Partial<Errand> = {}) => {
    panel = panelOn(db, { clock, work: errand(run, { concurrency: 1, ...limits }) });
    await panel.supervisor.start();
  };

  test("a place that is lent is another's, and is taken again before the errand goes on", async () => {
    const order: string[] = [];
    const peer = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const run = async (_: unknown, { actorId, lend }: ErrandRun) => {
      order.push(`${actorId} begins`);
      if (actorId !== 1) {
        await other.promise;
        order.push(`${actorId} ends`);
        return "well";
      }
      await lend(() => peer.promise.then(() => void order.push("the peer answered")));
      order.push(`${actorId} goes on`);
      return "well";
    };
    await start(run);
    const ids = [await panel.create(), await panel.create()];
    expect(ids).toEqual([1, 2]);
    await panel.ask(1, "go");
    await eventually(() => order).toEqual(["1 begins"]);
    await panel.ask(2, "go");
    await eventually(() => order).toEqual(["1 begins", "2 begins"]);
    peer.resolve();
    await eventually(() => order.length).toBe(3);
    // The other one is at work in the only place.
    expect(order.at(-1)).toBe("the peer answered");
    other.resolve();
    await eventually(() => panel.state(1)).toBe("over");
    expect(order).toEqual(["1 begins", "2 begins", "the peer answered", "2 ends", "1 goes on"]);
    expect(await panel.state(2)).toBe("over");
  });

  test("an errand that lends its place and is aborted meanwhile leaves the places as they were", async () => {
    const waiting = Promise.withResolvers<void>();
    const order: number[] = [];
    const run = async (_: unknown, { actorId, lend, signal }: ErrandRun) => {
      order.push(actorId);
      if (actorId !== 1) return waiting.promise;
      return lend(() => new Promise((_done, fail) => signal.addEventListener("abort", () => fail(signal.reason))));
    };
    await start(run);
    const ids = [await panel.create(), await panel.create(), await panel.create()];
    await panel.ask(1, "go");
    await eventually(() => order).toEqual([1]);
    await panel.ask(1, "stop");
    await eventually(() => panel.effects(1)).toEqual([]);
    for (const id of ids.slice(1)) await panel.ask(id, "go");
    await eventually(() => order.length).toBe(2);
    clock.advance(500);
    // Only one is at work.
    expect(await panel.effects(3)).toMatchObject([{ state: "pending" }]);
    waiting.resolve();
    await eventually(() => panel.state(3)).toBe("over");
  });

  test("one that never returns from its wait does not keep a second place: not at its hard bound, not after", async () => {
    const never = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const order: number[] = [];
    await start(async (_, { actorId, lend }) => {
      order.push(actorId);
      await (actorId === 1 ? lend(() => never.promise) : other.promise);
      return "well";
    });
    const ids = [await panel.create(), await panel.create(), await panel.create()];
    await panel.ask(1, "go");
    await eventually(() => order).toEqual([1]);
    await panel.ask(1, "stop");
    for (let second = 0; second < 70; second++) {
      clock.advance(1000);
      await panel.effects(1);
    }
    for (const id of ids.slice(1)) await panel.ask(id, "go");
    await eventually(() => order.length).toBe(2);
    never.resolve();
    await eventually(() => panel.effects(1)).toEqual([]);
    expect(order.length).toBe(2);
    other.resolve();
    await eventually(() => order.length).toBe(3);
    await eventually(() => panel.state(3)).toBe("over");
  });

  test("several waits of one errand lend one place", async () => {
    const peer = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const order: number[] = [];
    await start(async (_, { actorId, lend }) => {
      order.push(actorId);
      const wait = () => lend(() => peer.promise);
      await (actorId === 1 ? Promise.all([wait(), wait(), wait()]) : other.promise);
      return "well";
    });
    for (const id of [await panel.create(), await panel.create(), await panel.create()]) {
      await panel.ask(id, "go");
      if (id === 1) await eventually(() => order).toEqual([1]);
    }
    await eventually(() => order).toEqual([1, 2]);
    expect(await panel.effects(3)).toMatchObject([{ state: "pending" }]);
    peer.resolve();
    other.resolve();
    for (const id of [1, 2, 3]) await eventually(() => panel.state(id)).toBe("over");
  });
});
