// Charts that throw: a command is refused and nothing else, what repeats by itself ends in quarantine, and an operator
// lifts it.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setup } from "xstate";
import { ManualClock } from "../../src/lib/clock.ts";
import { ActorQuarantined, FAULT, FAULT_LIMIT, TRANSITION } from "../../src/runtime/index.ts";
import { ActorMissing, Chart } from "../../src/runtime/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities, panelOn, queued, type Panel } from "./fixture.ts";

describe.each(dialects)("faults on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  let panel: Panel;

  beforeEach(async () => {
    clock = new ManualClock(1_700_000_000_000);
    db = await openTestDatabase(dialect, entities, () => clock.now());
    panel = panelOn(db, { clock });
    await panel.supervisor.start();
  });
  afterEach(async () => {
    await panel.supervisor.drain(20);
    await db.dispose();
  });

  /** A timer that throws, fired until the actor is left alone. */
  const quarantined = async () => {
    const id = await panel.create({ patience: 10 });
    await panel.ask(id, "trap");
    clock.advance(1000);
    // It stays due; a poll that meets it while it is still being fired passes it by, so it is looked for until the
    // limit is reached.
    await eventually(async () => {
      panel.supervisor.pokeTimers();
      return (await panel.row(id)).faultCount;
    }).toBe(FAULT_LIMIT);
    return id;
  };

  // rule inspector.steer.5
  test("a command whose chart throws is rejected with what it threw; its row and its neighbours are untouched", async () => {
    const [id, other] = [await panel.create(), await panel.create()];
    const before = await panel.row(id);
    const results = await Promise.allSettled([
      panel.ask(other, "count"),
      panel.ask(id, "boom"),
      panel.ask(other, "count"),
    ]);
    expect(results.map((result) => (result.status === "rejected" ? String(result.reason) : result.value))).toEqual([
      { handled: true, state: "idle" },
      "RangeError: boom",
      { handled: true, state: "idle" },
    ]);
    expect(await panel.row(id)).toEqual(before);
    expect((await panel.row(other)).count).toBe(2);
  });

  test("an event for nobody", async () => {
    await expect(panel.ask(404, "go")).rejects.toBeInstanceOf(ActorMissing);
  });

  // rule inspector.steer.5
  test("a timer that keeps throwing puts its actor in quarantine: visible, refusing commands, left alone", async () => {
    const id = await quarantined();
    expect(await panel.row(id)).toMatchObject({
      mstate: "trapped",
      faultCount: FAULT_LIMIT,
      faultMessage: "boom",
      faultCause: { code: "chart_threw", values: ["boom"] },
      faultAt: clock.now(),
    });
    await expect(panel.ask(id, "stop")).rejects.toBeInstanceOf(ActorQuarantined);
    const since = clock.now();
    clock.advance(1000);
    await eventually(async () => ((await panel.timers(id))[0]?.dueAt ?? 0) >= since + 60_000).toBe(true);
    expect(panel.errors).toHaveLength(FAULT_LIMIT);
  });

  test("readers of commits are told of a quarantine and of its end, which are no transitions", async () => {
    const transitions: unknown[] = [];
    const told: unknown[] = [];
    const stop = db.commits.onCommit(({ facts }) => {
      transitions.push(...facts.of(TRANSITION));
      told.push(...facts.of(FAULT));
    });
    const id = await quarantined();
    transitions.length = 0;
    const about = { kind: "job", id, name: (await panel.row(id)).name };
    const cause = { code: "chart_threw", values: ["boom"] };
    expect(told).toEqual([{ ...about, fault: { at: clock.now(), count: FAULT_LIMIT, message: "boom", cause } }]);
    await panel.supervisor.resume("job", id);
    expect(told[1]).toEqual({ ...about, fault: null });
    expect(transitions).toEqual([]);
    stop();
  });

  test("resumed, it takes commands again, and a transition forgets its faults", async () => {
    const id = await quarantined();
    expect(await panel.supervisor.resume("job", id)).toBe(true);
    expect(await panel.supervisor.resume("job", id)).toBe(false);
    await panel.ask(id, "stop");
    expect(await panel.row(id)).toMatchObject({
      mstate: "idle",
      faultCount: 0,
      faultAt: null,
      faultMessage: "",
      faultCause: null,
    });
  });

  test("one in quarantine can be deleted", async () => {
    const id = await quarantined();
    await panel.remove(id);
    expect(await panel.state(id)).toBeUndefined();
    expect(await panel.timers(id)).toEqual([]);
  });

  // rule inspector.steer.5
  test("an effect whose result the chart cannot take is tried again until its actor is in quarantine, and then waits", async () => {
    let runs = 0;
    const bare = queued(async () => ({ runs: ++runs }), { backoffMs: 10, backoffMaxMs: 10 });
    const columnsOf = ({ count, note }: { count: number; note: string }) => {
      if (note !== "") throw new Error("cannot take it");
      return { count };
    };
    const other = panelOn(db, { clock, bare, definition: { columnsOf } });
    await panel.supervisor.drain(20);
    await other.supervisor.start();
    const id = await other.create();
    await other.ask(id, "bare");
    const began = clock.now();
    const waitsFor = async () => {
      clock.advance(50);
      return ((await other.effects(id))[0]?.nextAt ?? 0) - began;
    };
    await eventually(waitsFor).toBeGreaterThan(60_000);
    expect(await other.row(id)).toMatchObject({
      mstate: "bare",
      faultCount: FAULT_LIMIT,
      faultMessage: "cannot take it",
    });
    expect(runs).toBe(FAULT_LIMIT);
    await other.supervisor.drain(20);
  });

  test("an action that the runtime does not carry out is a fault, never passed over", () => {
    const chart = new Chart<object>(
      setup({ actions: { shout: () => {} } }).createMachine({
        id: "loud",
        initial: "quiet",
        states: { quiet: { on: { go: { actions: "shout" } } } },
      }),
    );
    expect(() => chart.step({ state: "quiet", context: {} }, { type: "go" })).toThrow(
      "does not carry out actions of type shout",
    );
  });
});
