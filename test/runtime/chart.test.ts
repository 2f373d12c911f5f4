// Stepping charts as pure functions: what XState says arrives as data.
import { assign, emit, fromPromise, setup } from "xstate";
import { describe, expect, test } from "vitest";
import { Chart, ChartFault } from "../../src/runtime/chart.ts";

interface Context {
  tries: number;
  at: number;
}

const machine = setup({
  types: {
    context: {} as Context,
    input: {} as Context,
    events: {} as
      | { type: "go" | "stop" | "ping" | "boom"; at?: number }
      | { type: "xstate.done.actor.work"; output: string },
    emitted: {} as { type: "job.started"; tries: number },
  },
  actors: {
    work: fromPromise<string, { tries: number }>(() => Promise.reject(new Error("carried out by the runtime"))),
  },
  delays: { patience: ({ context }) => 1000 * (context.tries + 1), month: 30 * 86_400_000 },
  actions: {
    count: assign({ tries: ({ context }) => context.tries + 1 }),
    boom: assign(() => {
      throw new RangeError("boom");
    }),
    announce: emit(({ context }) => ({ type: "job.started" as const, tries: context.tries })),
  },
  guards: { few: ({ context }) => context.tries < 2 },
}).createMachine({
  id: "job",
  context: ({ input }) => input,
  initial: "idle",
  states: {
    idle: {
      description: "Nothing to do.",
      after: { month: "over" },
      on: { go: { guard: "few", target: "busy" }, boom: { actions: "boom" } },
    },
    busy: {
      description: "Working.",
      initial: "asking",
      invoke: {
        id: "work",
        src: "work",
        input: ({ context }) => ({ tries: context.tries }),
        onDone: "over",
        onError: "idle",
      },
      entry: ["count", "announce"],
      on: { stop: "idle" },
      states: { asking: { after: { patience: "waiting" }, on: { ping: "waiting" } }, waiting: {} },
    },
    over: { type: "final" },
  },
});

const chart = new Chart<Context>(machine);

describe("a chart", () => {
  test("starts in its first state and arms its timer, thirty days as such", () => {
    const step = chart.initial({ tries: 0, at: 1 });
    expect(step).toMatchObject({ state: "idle", context: { tries: 0, at: 1 }, done: false, invokes: [] });
    expect(step.actions).toEqual([
      {
        type: "arm",
        name: "xstate.after.month.job.idle",
        event: "xstate.after.month.job.idle",
        delay: 30 * 86_400_000,
      },
    ]);
  });

  test("cancels, starts, arms and emits on a transition", () => {
    const step = chart.step({ state: "idle", context: { tries: 0, at: 1 } }, { type: "go" });
    expect(step.state).toBe("busy.asking");
    expect(step.invokes).toEqual(["work"]);
    expect(step.actions).toEqual([
      { type: "cancel", name: "xstate.after.month.job.idle" },
      { type: "emit", event: { type: "job.started", tries: 1 } },
      { type: "start", invokeId: "work", src: "work", input: { tries: 1 } },
      {
        type: "arm",
        name: "xstate.after.patience.job.busy.asking",
        event: "xstate.after.patience.job.busy.asking",
        delay: 2000,
      },
    ]);
  });

  test("an event that it does not take is not handled", () => {
    expect(chart.step({ state: "idle", context: { tries: 0, at: 1 } }, { type: "stop" }).handled).toBe(false);
    expect(chart.step({ state: "idle", context: { tries: 5, at: 1 } }, { type: "go" }).handled).toBe(false);
  });

  test("keeps an invoke over a move within its state, and ends with its result", () => {
    const moved = chart.step({ state: "busy.asking", context: { tries: 1, at: 1 } }, { type: "ping" });
    expect(moved).toMatchObject({ handled: true, state: "busy.waiting", invokes: ["work"] });
    expect(moved.actions).toEqual([{ type: "cancel", name: "xstate.after.patience.job.busy.asking" }]);
    const ended = chart.step(
      { state: "busy.waiting", context: { tries: 1, at: 1 } },
      { type: "xstate.done.actor.work", output: "x" },
    );
    expect(ended).toMatchObject({ state: "over", done: true, invokes: [] });
  });

  test("a timer's event leads where `after` says", () => {
    expect(
      chart.step(
        { state: "busy.asking", context: { tries: 1, at: 1 } },
        { type: "xstate.after.patience.job.busy.asking" },
      ).state,
    ).toBe("busy.waiting");
  });

  test("what an assignment throws reaches the caller, and the chart can still be stepped", () => {
    expect(() => chart.step({ state: "idle", context: { tries: 0, at: 1 } }, { type: "boom" })).toThrow("boom");
    expect(chart.step({ state: "idle", context: { tries: 0, at: 1 } }, { type: "go" }).state).toBe("busy.asking");
  });

  test("a stored state that it does not have is a fault", () => {
    expect(() => chart.step({ state: "gone", context: { tries: 0, at: 1 } }, { type: "go" })).toThrow(ChartFault);
  });

  test("knows its timers, invokes, states, meanings and next events", () => {
    expect(chart.timerNames).toEqual(["xstate.after.month.job.idle", "xstate.after.patience.job.busy.asking"]);
    expect([...chart.invokes.values()]).toEqual([{ id: "work", src: "work" }]);
    expect(chart.states()).toEqual(["idle", "busy.asking", "busy.waiting", "over"]);
    expect(chart.meaningOf("busy.waiting")).toBe("Working.");
    expect(chart.nextEvents("busy.asking", { tries: 0, at: 0 }, 0)).toEqual(["ping", "stop"]);
    expect(chart.invokesIn("busy.waiting")).toEqual(["work"]);
  });
});
