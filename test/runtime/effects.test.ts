// Queued effects: once per success, repeated until they settle, aborted and ignored once their chart moved on.
import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EffectRefused, type EffectRun, type QueuedEffect } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, panelOn, queued, type Panel } from "./fixture.ts";

interface Call extends EffectRun {
  readonly input: unknown;
  settle(output: unknown): void;
  fail(error: Error): void;
}

describe.each(dialects)("effects on %s", (dialect) => {
  let db: TestDatabase;
  let panel: Panel;
  let calls: Call[];
  let started: EventEmitter;

  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
    calls = [];
    started = new EventEmitter();
  });
  afterEach(async () => {
    await panel.supervisor.drain(20);
    await db.dispose();
  });

  /** A panel whose effect `work` ends when the test says so, and when it is told to, unless it is `deaf`. */
  const start = async (limits: Partial<QueuedEffect> = {}, deaf = false) => {
    const run = (input: unknown, given: EffectRun) =>
      new Promise<unknown>((settle, fail) => {
        calls.push({ ...given, input, settle, fail });
        if (!deaf) given.signal.addEventListener("abort", () => fail(given.signal.reason), { once: true });
        started.emit("call");
      });
    panel = panelOn(db, { work: queued(run, limits), bare: queued(async (input) => ({ input })) });
    await panel.supervisor.start();
    return panel.create();
  };
  const call = async (index: number): Promise<Call> => {
    while (calls.length <= index) await once(started, "call");
    const found = calls[index];
    if (!found) throw new Error("no such call");
    return found;
  };

  test("runs after the commit that asked for it, once, and its result is an event of the chart", async () => {
    const id = await start();
    await panel.ask(id, "go");
    const first = await call(0);
    expect(first).toMatchObject({
      input: { patience: 1000 },
      attempt: 1,
      idempotencyKey: `job:${id}:2:0`,
      kind: "job",
      actorId: id,
    });
    expect(await panel.effects(id)).toMatchObject([{ state: "running", attempt: 1, owner: panel.supervisor.bootId }]);
    first.settle({ bytes: 7 });
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '{"bytes":7}' });
    expect(await panel.effects(id)).toEqual([]);
    expect((await panel.journal(id)).at(-2)?.effects).toBe("work");
    expect(calls.length).toBe(1);
  });

  test("an invoke without input, and one whose result is a text", async () => {
    const id = await start();
    await panel.ask(id, "bare");
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '{"input":null}' });
    const other = await panel.create();
    await panel.ask(other, "go");
    (await call(0)).settle("plain");
    await eventually(() => panel.state(other)).toBe("over");
    expect((await panel.row(other)).mctx).toEqual({ note: '"plain"' });
  });

  // rule inspector.steer.6
  test("a failure is repeated under the same key, and the last one is the chart's", async () => {
    const id = await start({ attempts: 3 });
    await panel.ask(id, "go");
    for (let attempt = 1; attempt <= 3; attempt++) {
      const made = await call(attempt - 1);
      expect([made.attempt, made.idempotencyKey]).toEqual([attempt, `job:${id}:2:0`]);
      if (attempt > 1) {
        const lastError = `no ${attempt - 1}`;
        expect(await panel.effects(id)).toMatchObject([
          { lastError, lastCause: { code: "attempt_failed", values: [lastError] } },
        ]);
      }
      made.fail(new Error(`no ${attempt}`));
    }
    await eventually(() => panel.state(id)).toBe("failed");
    expect((await panel.row(id)).mctx).toEqual({ note: '"no 3"' });
    expect(calls.length).toBe(3);
  });

  test("between attempts waits the backoff", async () => {
    const id = await start({ attempts: 2, backoffMs: 150, backoffMaxMs: 150 });
    await panel.ask(id, "go");
    const first = await call(0);
    const failed = Date.now();
    first.fail(new Error("no"));
    (await call(1)).settle(1);
    expect(Date.now() - failed).toBeGreaterThanOrEqual(150);
    await eventually(() => panel.state(id)).toBe("over");
  });

  test("one that refuses is not repeated", async () => {
    const id = await start();
    await panel.ask(id, "go");
    (await call(0)).fail(new EffectRefused("wrong password"));
    await eventually(() => panel.state(id)).toBe("failed");
    expect((await panel.row(id)).mctx).toEqual({ note: '"wrong password"' });
    expect(calls.length).toBe(1);
  });

  test("one that throws before it returns a promise fails like any other", async () => {
    panel = panelOn(db, {
      work: queued(() => {
        throw new EffectRefused("at once");
      }),
    });
    await panel.supervisor.start();
    const id = await panel.create();
    await panel.ask(id, "go");
    await eventually(() => panel.state(id)).toBe("failed");
  });

  test("one that takes too long is aborted and repeated", async () => {
    const id = await start({ timeoutMs: 30, attempts: 2 });
    await panel.ask(id, "go");
    const first = await call(0);
    if (!first.signal.aborted) await once(first.signal, "abort");
    expect(String(first.signal.reason)).toContain("no result within 30 ms");
    (await call(1)).settle("late but well");
    await eventually(() => panel.state(id)).toBe("over");
  });

  test("leaving the state aborts it, and what it still says is nothing to the chart", async () => {
    const id = await start({}, true);
    await panel.ask(id, "go");
    const first = await call(0);
    const aborted = once(first.signal, "abort");
    await panel.ask(id, "stop");
    await aborted;
    first.settle("stale");
    expect(await panel.effects(id)).toEqual([]);
    await panel.ask(id, "go");
    const second = await call(1);
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    expect(await panel.state(id)).toBe("busy");
    second.settle("fresh");
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '"fresh"' });
  });

  test("entering the state again is a new run; a step within it is not", async () => {
    const id = await start();
    await panel.ask(id, "go");
    const first = await call(0);
    await panel.ask(id, "count");
    expect(first.signal.aborted).toBe(false);
    await panel.ask(id, "again");
    const second = await call(1);
    expect(first.signal.aborted).toBe(true);
    expect(second).toMatchObject({ attempt: 1, idempotencyKey: `job:${id}:4:0` });
    first.settle("stale");
    second.settle("fresh");
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.row(id)).mctx).toEqual({ note: '"fresh"' });
  });

  test("no more run at once than their kind allows", async () => {
    const id = await start({ concurrency: 3 });
    const ids = [id, ...(await Promise.all(Array.from({ length: 11 }, () => panel.create())))];
    await Promise.all(ids.map((each) => panel.ask(each, "go")));
    for (let done = 0; done < ids.length; done++) {
      const next = await call(done);
      expect(calls.length - done).toBeLessThanOrEqual(3);
      next.settle(done);
    }
    await eventually(async () =>
      (await Promise.all(ids.map((each) => panel.state(each)))).every((state) => state === "over"),
    ).toBe(true);
    expect(calls.length).toBe(12);
  });

  test("two thousand at once overflow into their rows and still all run once", async () => {
    const keys: string[] = [];
    panel = panelOn(db, {
      work: queued(async (_, { idempotencyKey }) => keys.push(idempotencyKey), { concurrency: 64 }),
    });
    await panel.supervisor.start();
    const ids = await Promise.all(Array.from({ length: 2000 }, () => panel.create()));
    await Promise.all(ids.map((each) => panel.ask(each, "go")));
    await eventually(() => keys.length).toBe(2000);
    expect(new Set(keys).size).toBe(2000);
    await eventually(async () =>
      (await Promise.all(ids.map((each) => panel.state(each)))).every((state) => state === "over"),
    ).toBe(true);
  });
});
