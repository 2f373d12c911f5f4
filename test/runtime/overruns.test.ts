// Effects that ignore their abort: they are told of once, keep their place until they end or are given up on, and no
// retry runs beside them.
import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock, systemClock } from "../../src/lib/clock.ts";
import type { SignalTable } from "../../src/lib/signal-table.ts";
import { Signals } from "../../src/lib/signals.ts";
import type { EffectRun, QueuedEffect } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { endless, entities, panelOn, queued, type Panel } from "./fixture.ts";

interface Call extends EffectRun {
  end(output: unknown): void;
}

describe.each(dialects)("effects that ignore their abort on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panel: Panel;
  let calls: Call[];
  let begun: EventEmitter;
  let overruns: SignalTable["effect.overruns"][];
  let over: SignalTable["effect.overrun"][];

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
    calls = [];
    begun = new EventEmitter();
    overruns = [];
    over = [];
  });
  afterEach(async () => {
    for (const call of calls) call.end("the test is over");
    await panel.supervisor.drain(20);
    await db.dispose();
  });

  /** A panel whose effect `work` is deaf to its signal: it ends when the test says so. */
  const open = async (limits: Partial<QueuedEffect> = {}) => {
    const signals = new Signals({ now: () => clock.now() });
    signals.listen("effect.overruns", (fields) => overruns.push(fields));
    signals.listen("effect.overrun", (fields) => over.push(fields));
    const run = (_: unknown, given: EffectRun) =>
      new Promise<unknown>((end) => {
        calls.push({ ...given, end });
        begun.emit("call");
      });
    panel = panelOn(db, {
      clock,
      signals,
      work: queued(run, { timeoutMs: 5000, concurrency: 1, attempts: 2, ...limits }),
    });
    await panel.supervisor.start();
  };
  const start = async (limits: Partial<QueuedEffect> = {}) => {
    await open(limits);
    return panel.create();
  };
  const call = async (index: number): Promise<Call> => {
    while (calls.length <= index) await once(begun, "call");
    const found = calls[index];
    if (!found) throw new Error("no such call");
    return found;
  };
  /** Time goes on, a second per look, until something is so. */
  const inTime = <T>(look: () => T) =>
    eventually(() => {
      clock.advance(1000);
      return look();
    });

  test("it is told once, keeps its place and its lease, and its retry waits for its end", async () => {
    const id = await start();
    const other = await panel.create();
    await panel.ask(id, "go");
    const first = await call(0);
    await panel.ask(other, "go");
    clock.advance(5000);
    expect(first.signal.aborted).toBe(true);
    expect(overruns).toEqual([]);
    clock.advance(1000);
    expect(overruns).toEqual([{ kind: "job", actorId: id, src: "work", attempt: 1, ageMs: 6000 }]);
    // Polls and renewals of leases pass; nothing else begins.
    for (let second = 0; second < 40; second++) {
      clock.advance(1000);
      await panel.effects(id);
    }
    expect(calls.length).toBe(1);
    expect(await panel.effects(id)).toMatchObject([{ state: "running", attempt: 1, owner: panel.supervisor.bootId }]);
    expect(await panel.effects(other)).toMatchObject([{ state: "pending", attempt: 0 }]);

    first.end("too late");
    const second = await call(1);
    expect(second.actorId).toBe(other);
    expect(over).toEqual([{ kind: "job", actorId: id, src: "work", attempt: 1, ageMs: 46_000, ended: true }]);
    expect(overruns.length).toBe(1);
    second.end("in time");
    await inTime(() => calls.length).toBe(3);
    expect(calls[2]).toMatchObject({ actorId: id, attempt: 2 });
    calls[2]?.end("well");
    await inTime(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '"well"' });
  });

  test("one that never ends is given up on: its place is free and its retry begins", async () => {
    const id = await start();
    await panel.ask(id, "go");
    await call(0);
    clock.advance(5000 + 60_000 - 1);
    expect(over).toEqual([]);
    clock.advance(1);
    expect(over).toEqual([{ kind: "job", actorId: id, src: "work", attempt: 1, ageMs: 65_000, ended: false }]);
    await inTime(() => calls.length).toBe(2);
    expect(calls[1]).toMatchObject({ attempt: 2, idempotencyKey: calls[0]?.idempotencyKey });
    // Its end is nothing to anybody by now.
    calls[0]?.end("much too late");
    calls[1]?.end("well");
    await inTime(() => panel.state(id)).toBe("over");
    expect([overruns.length, over.length]).toEqual([1, 1]);
    expect((await panel.row(id)).mctx).toEqual({ note: '"well"' });
  });

  test("one that may take longer is waited for as long again", async () => {
    const id = await start({ timeoutMs: 600_000 });
    await panel.ask(id, "go");
    await call(0);
    clock.advance(1_199_999);
    expect(over).toEqual([]);
    clock.advance(1);
    expect(over).toMatchObject([{ ageMs: 1_200_000, ended: false }]);
  });

  test("the chart hears of its last failure at once, and the work keeps its place all the same", async () => {
    const id = await start({ attempts: 1 });
    await panel.ask(id, "go");
    const first = await call(0);
    clock.advance(5000);
    await eventually(() => panel.state(id)).toBe("failed");
    // Its row goes with that: only an errand's is kept until its work has ended.
    expect(await panel.effects(id)).toEqual([]);
    const other = await panel.create();
    await panel.ask(other, "go");
    for (let second = 0; second < 10; second++) {
      clock.advance(1000);
      await panel.effects(other);
    }
    expect(calls.length).toBe(1);
    expect(overruns).toMatchObject([{ actorId: id, ageMs: 6000 }]);
    first.end("too late");
    expect((await call(1)).actorId).toBe(other);
  });

  test("what its chart begins anew waits for it, and takes no place while it does", async () => {
    const id = await start({ concurrency: 2, timeoutMs: 600_000 });
    await panel.ask(id, "go");
    const first = await call(0);
    await panel.ask(id, "again");
    expect(first.signal.aborted).toBe(true);
    await panel.ask(id, "again");
    const other = await panel.create();
    await panel.ask(other, "go");
    expect((await call(1)).actorId).toBe(other);
    clock.advance(1000);
    expect(overruns).toEqual([{ kind: "job", actorId: id, src: "work", attempt: 1, ageMs: 1000 }]);
    expect(calls.length).toBe(2);
    first.end("stale");
    const third = await call(2);
    expect(third).toMatchObject({ actorId: id, attempt: 1, idempotencyKey: `job:${id}:4:0` });
    third.end("fresh");
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '"fresh"' });
    expect(over).toMatchObject([{ ended: true }]);
  });

  test("one that ends when it is told to is no overrun", async () => {
    const signals = new Signals({ now: () => clock.now() });
    signals.listen("effect.overruns", (fields) => overruns.push(fields));
    let aborted = 0;
    panel = panelOn(db, {
      clock,
      signals,
      work: queued((_, run) => endless(run).finally(() => aborted++), { timeoutMs: 5000, attempts: 1 }),
    });
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "go");
    await inTime(() => panel.state(id)).toBe("failed");
    clock.advance(120_000);
    expect([aborted, overruns]).toEqual([1, []]);
  });

  test("a panel that stops waits for all others, and not for one that ignored its abort before", async () => {
    const id = await start({ concurrency: 2 });
    await panel.ask(id, "go");
    const first = await call(0);
    clock.advance(6000);
    expect(overruns).toMatchObject([{ actorId: id }]);
    const other = await panel.create();
    await panel.ask(other, "go");
    const second = await call(1);
    let stopped = false;
    const stopping = panel.supervisor.drain(5000).then(() => (stopped = true));
    expect(second.signal.aborted).toBe(true);
    // The other one has its time: the database answers meanwhile, and nothing has stopped.
    for (let look = 0; look < 20; look++) await panel.effects(id);
    expect(stopped).toBe(false);
    second.end("in time");
    // The clock stands still, so nothing waits for the grace.
    await stopping;
    const left = { state: "pending", owner: "", attempt: 1 };
    expect([...(await panel.effects(id)), ...(await panel.effects(other))]).toMatchObject([left, left]);

    // The next start tries again, under the same key; what the old run gives is nothing to anybody.
    await open({ concurrency: 2 });
    await call(3);
    const retry = calls.slice(2).find(({ actorId }) => actorId === id);
    expect(retry).toMatchObject({ idempotencyKey: first.idempotencyKey, attempt: 2 });
    first.end("stale");
    retry?.end("well");
    await inTime(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '"well"' });
  });

  test("a panel that stops waits for it no longer than it says", async () => {
    panel = panelOn(db, { work: queued(() => new Promise(() => {})), clock: systemClock });
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "go");
    await eventually(async () => (await panel.effects(id))[0]?.state).toBe("running");
    await panel.supervisor.drain(20);
    expect(await panel.effects(id)).toMatchObject([{ state: "pending", owner: "" }]);
  });
});
