// The chart of the benches' counters, alone: what Restate and DBOS carry out is this very chart.
import { assign, emit, setup } from "xstate";

export interface CounterContext {
  count: number;
  cap: number;
}

/** Counts, turns from even to odd and back, and announces every tenth. */
export const counterChart = setup({
  types: {
    context: {} as CounterContext,
    events: {} as { type: "count" },
    emitted: {} as { type: "counter.tenth"; count: number },
  },
  guards: { tenth: ({ context }) => context.count % 10 === 9, open: ({ context }) => context.count < context.cap },
  actions: {
    count: assign({ count: ({ context }) => context.count + 1 }),
    announce: emit(({ context }) => ({ type: "counter.tenth" as const, count: context.count })),
  },
}).createMachine({
  id: "counter",
  context: ({ input }) => input as CounterContext,
  initial: "even",
  states: {
    even: {
      on: {
        count: [
          { guard: "tenth", target: "odd", actions: ["count", "announce"] },
          { guard: "open", target: "odd", actions: "count" },
        ],
      },
    },
    odd: {
      on: {
        count: [
          { guard: "tenth", target: "even", actions: ["count", "announce"] },
          { guard: "open", target: "even", actions: "count" },
        ],
      },
    },
  },
});
