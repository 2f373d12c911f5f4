// A bell rests until somebody rings it; it counts, and says so.
import { assign, emit, setup } from "xstate";
import { defineActor, type ActorKind } from "../../../src/runtime/index.ts";
import { BellRows, type BellRow } from "./bell.entity.ts";

interface Context {
  rung: number;
}

const chart = setup({
  types: {
    context: {} as Context,
    input: {} as Context,
    events: {} as { type: "ring" },
    emitted: {} as { type: "rang" },
  },
  actions: { count: assign({ rung: ({ context }) => context.rung + 1 }), say: emit({ type: "rang" }) },
}).createMachine({
  id: "bell",
  context: ({ input }) => input,
  initial: "resting",
  states: { resting: { description: "It waits to be rung.", on: { ring: { actions: ["count", "say"] } } } },
});

export type BellActor = ActorKind<BellRow, Context>;

export function defineBell(): BellActor {
  return defineActor<BellRow, Context>({
    kind: "bell",
    description: "A bell.",
    entity: BellRows,
    machine: chart,
    version: 1,
    contextOf: ({ rung }) => ({ rung }),
    columnsOf: ({ rung }) => ({ rung }),
    rememberedOf: () => ({}),
    nameOf: ({ name }) => name,
    raisedBy: (_, { id, name, rung }) => ({ event: "panel.bell_rang", data: { name, rung }, subject: `bell:${id}` }),
    effects: {},
    safe: ["ring"],
  });
}
