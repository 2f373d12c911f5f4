// What the runtime tells those who watch, as exact counts of what real actors did.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../src/lib/clock.ts";
import type { SignalName, SignalTable } from "../../src/lib/signal-table.ts";
import { Signals } from "../../src/lib/signals.ts";
import { EffectRefused } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, panelOn, queued, type Panel } from "./fixture.ts";

describe.each(dialects)("signals of the runtime on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let signals: Signals;
  let panel: Panel;

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    signals = new Signals({ now: () => clock.now() });
    db = await openTestDatabase(dialect, entities, () => clock.now());
  });
  afterEach(async () => {
    await panel.supervisor.drain(20);
    await db.dispose();
  });

  const heard = <N extends SignalName>(name: N): SignalTable[N][] => {
    const list: SignalTable[N][] = [];
    signals.listen(name, (fields) => list.push(fields));
    return list;
  };

  test("commands of callers and the steps that they are on disk", async () => {
    const [commands, decisions, steps] = [heard("runtime.command"), heard("runtime.decision"), heard("runtime.step")];
    panel = panelOn(db, { clock, signals });
    const id = await panel.create();
    await panel.ask(id, "wait");
    await panel.ask(id, "go");
    await expect(panel.ask(id, "boom")).rejects.toThrow("boom");
    await expect(panel.ask(id + 1, "go")).rejects.toThrow();
    expect(commands.map(({ by, ended }) => [by, ended])).toEqual([
      ["caller", "done"],
      ["caller", "done"],
      ["caller", "refused"],
      ["caller", "refused"],
    ]);
    // The chart takes no `go` there: decided, and nothing is on disk.
    expect(decisions).toEqual([
      { kind: "job", event: "wait", handled: true, ms: 0 },
      { kind: "job", event: "go", handled: false, ms: 0 },
    ]);
    expect(steps).toEqual([
      { kind: "job", event: "created", from: null, to: "idle" },
      { kind: "job", event: "wait", from: "idle", to: "waiting" },
    ]);
  });

  test("a timer tells how late it was, and who moved its actor", async () => {
    const [timers, commands] = [heard("runtime.timer"), heard("runtime.command")];
    panel = panelOn(db, { clock, signals });
    const id = await panel.create({ patience: 30_000 });
    await panel.ask(id, "wait");
    clock.advance(37_000);
    await panel.supervisor.start();
    await eventually(() => timers.length).toBe(1);
    expect(timers).toEqual([
      { kind: "job", name: "xstate.after.patience.job.waiting", lagMs: 7000, running: 1, ms: 0 },
    ]);
    expect(commands.map(({ kind, by, ended }) => [kind, by, ended])).toEqual([
      ["job", "caller", "done"],
      ["job", "timer", "done"],
    ]);
  });

  test("faults of a chart, up to its quarantine", async () => {
    const [faults, commands] = [heard("runtime.fault"), heard("runtime.command")];
    panel = panelOn(db, { clock, signals });
    await panel.supervisor.start();
    const id = await panel.create({ patience: 10 });
    await panel.ask(id, "trap");
    await eventually(() => {
      clock.advance(1000);
      return faults.length;
    }).toBe(3);
    expect(faults.map(({ quarantined }) => quarantined)).toEqual([false, false, true]);
    const ends = commands.filter(({ by }) => by === "timer").map(({ ended }) => ended);
    expect(ends.slice(0, 3)).toEqual(["refused", "refused", "refused"]);
  });

  test("effects: their attempts with what came of them, and how many wait", async () => {
    const [attempts, depths] = [heard("effect.attempt"), heard("effect.depth")];
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    let calls = 0;
    panel = panelOn(db, {
      clock,
      signals,
      work: queued(
        async () => {
          const call = calls++;
          await gates[call]?.promise;
          if (call === 0) throw new Error("another time");
          if (call === 1) throw new EffectRefused("never");
        },
        { concurrency: 1, attempts: 3, backoffMs: 500, backoffMaxMs: 500 },
      ),
    });
    await panel.supervisor.start();
    const [one, two] = [await panel.create(), await panel.create()];
    await panel.ask(one, "go");
    await eventually(() => calls).toBe(1);
    await panel.ask(two, "go");
    expect(depths.at(-1)).toEqual({ kind: "job", src: "work", waiting: 1, running: 1 });
    clock.advance(250);
    gates[0]?.resolve();
    await eventually(() => calls).toBe(2);
    gates[1]?.resolve();
    await eventually(() => panel.state(two)).toBe("failed");
    clock.advance(500);
    await eventually(() => calls).toBe(3);
    gates[2]?.resolve();
    await eventually(() => attempts.length).toBe(3);
    expect(attempts).toEqual([
      { kind: "job", src: "work", attempt: 1, ended: "again", ms: 250 },
      { kind: "job", src: "work", attempt: 1, ended: "failed", ms: 0 },
      { kind: "job", src: "work", attempt: 2, ended: "done", ms: 0 },
    ]);
    await eventually(() => depths.at(-1)).toEqual({ kind: "job", src: "work", waiting: 0, running: 0 });
  });
});
