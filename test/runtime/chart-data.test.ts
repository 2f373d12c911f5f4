// A chart as data: its digest is another one exactly when the chart is.
import { assign, setup } from "xstate";
import { expect, test } from "vitest";
import { chartDataOf } from "../../src/runtime/index.ts";

interface Variant {
  readonly sentence?: string;
  readonly patience?: number;
  readonly guard?: "ready" | "late";
  readonly action?: "note" | "forget";
  readonly target?: "there" | "elsewhere";
  readonly always?: "ready" | "late";
  readonly inner?: number;
}

function chart({
  sentence = "Waiting.",
  patience = 1000,
  guard = "ready",
  action = "note",
  target = "there",
  always = "late",
  inner = 1,
}: Variant = {}) {
  return setup({
    types: { context: {} as { count: number }, events: {} as { type: "go" } | { type: "back" } },
    delays: { patience, computed: ({ context }) => context.count * inner },
    guards: { ready: () => inner > 0, late: () => inner > 1 },
    actions: {
      note: assign({ count: ({ context }) => context.count + inner }),
      forget: assign({ count: () => inner }),
    },
  }).createMachine({
    id: "chart",
    context: { count: inner },
    initial: "here",
    states: {
      here: {
        description: sentence,
        on: { go: { guard, target, actions: action } },
        after: { patience: "elsewhere", computed: "there", 50: "there" },
      },
      there: { always: { guard: always, target: "here" } },
      elsewhere: { on: { back: "here" } },
    },
  });
}
const digest = (variant?: Variant) => chartDataOf(chart(variant)).digest;

// rule inspector.chart.1
test("the same chart, made again, has the same digest", () => {
  expect(digest()).toBe(digest());
  expect(digest()).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  { sentence: "Waiting for long." },
  { patience: 2000 },
  { guard: "late" },
  { action: "forget" },
  { target: "elsewhere" },
  { always: "ready" },
] as const satisfies Variant[])("another digest with %o", (variant) => {
  expect(digest(variant)).not.toBe(digest());
});

test("what guards and actions do inside, and the first context, are not the chart", () => {
  expect(digest({ inner: 7 })).toBe(digest());
});

test("delays in milliseconds, null where the context says; transitions without an event are there", () => {
  const { delays, definition } = chartDataOf(chart());
  expect(delays).toEqual({ patience: 1000, computed: null, "50": 50 });
  expect(definition).toMatchObject({ states: { there: { always: [{ guard: "late" }] } } });
});
