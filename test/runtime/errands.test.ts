// Errands: a deadline over all attempts, and no run beside one that ignores its abort.
import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../src/lib/clock.ts";
import type { Errand, ErrandRun } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, errand, panelOn, type ErrandCall, type Panel } from "./fixture.ts";

describe.each(dialects)("errands on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panel: Panel;
  let panels: Panel[];
  let calls: ErrandCall[];
  let begun: EventEmitter;

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
    calls = [];
    panels = [];
    begun = new EventEmitter();
  });
  afterEach(async () => {
    for (const call of calls) call.settle("the test is over");
    for (const each of panels) await each.supervisor.drain(20);
    await db.dispose();
  });

  /** A panel whose errand `work` ends when the test says so, and when it is told to, unless it is `deaf`. */
  const start = async (limits: Partial<Errand> = {}, deaf = false, bootId?: string) => {
    const run = (_: unknown, given: ErrandRun) =>
      new Promise<unknown>((settle, fail) => {
        calls.push({ ...given, settle, fail });
        if (!deaf) given.signal.addEventListener("abort", () => fail(given.signal.reason), { once: true });
        begun.emit("call");
      });
    panel = panelOn(db, { clock, work: errand(run, limits), ...(bootId !== undefined && { bootId }) });
    panels.push(panel);
    await panel.supervisor.start();
    return panel;
  };
  const call = async (index: number): Promise<ErrandCall> => {
    while (calls.length <= index) await once(begun, "call");
    const found = calls[index];
    if (!found) throw new Error("no such call");
    return found;
  };
  /** Time goes on, `ms` per look, until something is so. */
  const inTime = <T>(look: () => T, ms = 1000) =>
    eventually(() => {
      clock.advance(ms);
      return look();
    });
  const codes = async (id: number) => (await panel.lines(id)).map(({ code, args }) => [code, ...args]);

  // rule inspector.log.1
  test("its result is an event of the chart, and what it did stands in its log before", async () => {
    await start();
    const id = await panel.create();
    await panel.ask(id, "go");
    const first = await call(0);
    expect(await panel.effects(id)).toMatchObject([{ deadlineAt: clock.now() + 60_000, home: null }]);
    first.log("info", "uploaded", "agent.tar", 4711);
    first.print("\u001b[31mred\u001b[0m\r\nsecond line\n");
    first.settle("well");
    await eventually(() => panel.state(id)).toBe("over");
    expect(await panel.lines(id)).toMatchObject([
      { seq: 1, level: "info", code: "attempt_began", args: [1], text: "" },
      { seq: 2, level: "info", code: "uploaded", args: ["agent.tar", 4711], text: "" },
      { seq: 3, level: "info", code: "output", args: [], text: "red" },
      { seq: 4, level: "info", code: "output", args: [], text: "second line" },
    ]);
    expect(await panel.effects(id)).toEqual([]);
  });

  test("its deadline counts over all attempts: the chart hears it then, however many attempts are left", async () => {
    await start({ attempts: 100, deadlineMs: 12_000, backoffMs: 1, backoffMaxMs: 1 });
    const id = await panel.create();
    const deadline = clock.now() + 12_000;
    await panel.ask(id, "go");
    // Two attempts take their whole time; the third is cut short by the deadline.
    for (const attempt of [1, 2]) {
      await call(attempt - 1);
      clock.advance(5000);
      await eventually(() => panel.effects(id)).toMatchObject([{ state: "pending", attempt }]);
      // The row is there before the pause behind it begins.
      await eventually(() => {
        if (calls.length === attempt) clock.advance(1);
        return calls.length;
      }).toBe(attempt + 1);
    }
    await call(2);
    clock.advance(deadline - 1 - clock.now());
    expect(await panel.state(id)).toBe("busy");
    await inTime(() => panel.state(id), 1).toBe("failed");
    expect((await panel.row(id)).mctx).toEqual({ note: '"it was not done within 12000 ms"' });
    expect((await codes(id)).at(-1)).toEqual(["errand_late", 12_000]);
    expect(calls.length).toBe(3);
    expect(await panel.effects(id)).toEqual([]);
  });

  test("its deadline survives a kill: a panel that comes too late begins nothing and tells the chart", async () => {
    await start({ deadlineMs: 12_000, timeoutMs: 60_000 }, true, "first");
    const id = await panel.create();
    await panel.ask(id, "go");
    await call(0);
    // The process is gone: it neither renews nor settles anything.
    const dead = panels.splice(0);
    clock.advance(0);
    const later = new ManualClock(clock.now() + 13_000);
    const other = panelOn(db, { clock: later, bootId: "second", work: errand(() => Promise.resolve("begun again")) });
    panels.push(other);
    clock = later;
    await other.supervisor.start();
    await eventually(() => other.state(id)).toBe("failed");
    expect((await other.row(id)).mctx).toEqual({ note: '"it was not done within 60000 ms"' });
    for (const each of dead) panels.push(each);
  });

  test("one that ignores its timeout: its chart hears at the deadline, and what is begun next waits for its end", async () => {
    await start({ attempts: 100, deadlineMs: 12_000 }, true);
    const id = await panel.create();
    await panel.ask(id, "go");
    const first = await call(0);
    clock.advance(11_999);
    await eventually(() => codes(id)).toEqual([
      ["attempt_began", 1],
      ["no_result", 5000],
    ]);
    expect(await panel.state(id)).toBe("busy");
    await inTime(() => panel.state(id), 1).toBe("failed");
    expect((await codes(id)).at(-1)).toEqual(["errand_late", 12_000]);
    expect(await panel.effects(id)).toMatchObject([{ state: "ended", owner: panel.supervisor.bootId }]);
    const next = await panel.create();
    await panel.ask(next, "go");
    // Its place is its own until the hard bound, and others have theirs.
    await call(1);
    first.settle("too late");
    await eventually(() => panel.effects(id)).toEqual([]);
    expect(await panel.state(id)).toBe("failed");
    expect(calls.length).toBe(2);
  });

  test("the attempt after one that ignored its timeout begins when that has ended, not before", async () => {
    await start({ attempts: 100, deadlineMs: 60_000 }, true);
    const id = await panel.create();
    await panel.ask(id, "go");
    const first = await call(0);
    for (let second = 0; second < 40; second++) {
      clock.advance(1000);
      await panel.effects(id);
    }
    expect(calls.length).toBe(1);
    expect(await panel.effects(id)).toMatchObject([{ state: "running", attempt: 1 }]);
    first.settle("too late");
    const second = await inTime(() => calls.length, 5)
      .toBe(2)
      .then(() => call(1));
    expect(second).toMatchObject({ attempt: 2, idempotencyKey: first.idempotencyKey });
    second.settle("well");
    await eventually(() => panel.state(id)).toBe("over");
    await eventually(() => panel.effects(id)).toEqual([]);
  });

  test("one that waits for a place until its deadline never begins: its chart hears then", async () => {
    await start({ concurrency: 1, timeoutMs: 60_000, deadlineMs: 12_000 }, true);
    const ids = [await panel.create(), await panel.create()] as const;
    await panel.ask(ids[0], "go");
    await call(0);
    clock.advance(1000);
    await panel.ask(ids[1], "go");
    clock.advance(11_999);
    await eventually(() => panel.state(ids[0])).toBe("failed");
    expect(await panel.state(ids[1])).toBe("busy");
    await inTime(() => panel.state(ids[1]), 1).toBe("failed");
    expect(await codes(ids[1])).toEqual([["errand_late", 12_000]]);
    await eventually(() => panel.effects(ids[1])).toEqual([]);
    expect(calls.length).toBe(1);
  });

  test("a pause between attempts ends at the deadline at the latest", async () => {
    await start({ deadlineMs: 12_000, backoffMs: 3_600_000, backoffMaxMs: 3_600_000 });
    const id = await panel.create();
    await panel.ask(id, "go");
    (await call(0)).fail(new Error("no"));
    await eventually(() => panel.effects(id)).toMatchObject([{ state: "pending", nextAt: clock.now() + 12_000 }]);
    await inTime(() => panel.state(id)).toBe("failed");
    expect((await codes(id)).at(-1)).toEqual(["errand_late", 12_000]);
    expect(calls.length).toBe(1);
  });

  test("one that ignores its abort keeps its row: the next one of the chart waits, far past the hard bound", async () => {
    await start({ deadlineMs: 600_000 }, true);
    const id = await panel.create();
    await panel.ask(id, "go");
    const first = await call(0);
    await panel.ask(id, "stop");
    expect(first.signal.aborted).toBe(true);
    expect(await panel.effects(id)).toMatchObject([{ state: "ended", owner: panel.supervisor.bootId }]);
    await panel.ask(id, "go");
    for (let second = 0; second < 200; second++) {
      clock.advance(1000);
      await panel.effects(id);
    }
    expect(calls.length).toBe(1);
    expect(await panel.effects(id)).toMatchObject([{ state: "pending", owner: panel.supervisor.bootId }]);
    first.settle("too late");
    const second = await inTime(() => calls.length)
      .toBe(2)
      .then(() => call(1));
    second.settle("well");
    await eventually(() => panel.state(id)).toBe("over");
    await eventually(() => panel.effects(id)).toEqual([]);
  });

  test("one that ignores its abort and is not begun again leaves no row once it has ended", async () => {
    await start({}, true);
    const id = await panel.create();
    await panel.ask(id, "go");
    const first = await call(0);
    await panel.remove(id);
    expect(await panel.effects(id)).toMatchObject([{ state: "ended" }]);
    first.settle("too late");
    await eventually(() => panel.effects(id)).toEqual([]);
  });

  test("what waits for one that never ends fails at its own deadline, and nothing runs beside it", async () => {
    await start({ deadlineMs: 100_000 }, true);
    const id = await panel.create();
    await panel.ask(id, "go");
    await call(0);
    await panel.ask(id, "stop");
    await panel.ask(id, "go");
    // In small steps: time does not outrun the lease, which the process renews.
    await inTime(() => panel.state(id), 1000).toBe("failed");
    expect((await panel.row(id)).mctx).toEqual({ note: '"it was not done within 100000 ms"' });
    expect(calls.length).toBe(1);
    expect(await panel.effects(id)).toMatchObject([{ state: "ended" }]);
  });

  test("a panel that restarts in the same process waits for one that ignored the stop, as long as its lease", async () => {
    await start({}, true, "before");
    const id = await panel.create();
    await panel.ask(id, "go");
    await call(0);
    const before = panels.splice(0);
    const drained = before[0]?.supervisor.drain(10);
    clock.advance(10);
    await drained;
    await start({}, true, "after");
    for (let second = 0; second < 25; second++) {
      clock.advance(1000);
      await panel.effects(id);
    }
    expect(calls.length).toBe(1);
    await inTime(() => calls.length).toBe(2);
    expect(calls[1]).toMatchObject({ attempt: 2, idempotencyKey: calls[0]?.idempotencyKey });
  });
});
