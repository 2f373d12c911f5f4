// A hundred thousand actors of a small chart, as benches use them: one command is a transition, a row, a journal entry, and every tenth an event.
import { defineEntity, p } from "@mikro-orm/core";
import { assign, emit, setup } from "xstate";
import { entity, sql, type Database, type Dialect, type RowOf } from "../../src/db/index.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { actorColumns, defineActor, EffectRows, EventRows, JournalRows, Supervisor, TimerRows } from "../../src/runtime/index.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

export const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      count: p.bigint("number"),
      enabled: p.boolean(),
      cap: p.bigint("number"),
      ...actorColumns(),
    },
  }),
);
type CounterRow = RowOf<typeof Counters>;

export const entities = [Counters, TimerRows, EffectRows, JournalRows, EventRows];

interface CounterContext {
  count: number;
  cap: number;
}

const chart = setup({
  types: { context: {} as CounterContext, events: {} as { type: "count" }, emitted: {} as { type: "counter.tenth"; count: number } },
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

export const counter = defineActor<CounterRow, CounterContext>({
  kind: "counter",
  description: "A bench's counter.",
  entity: Counters,
  machine: chart,
  version: 1,
  contextOf: (row) => ({ count: row.count, cap: row.cap }),
  columnsOf: ({ count }) => ({ count }),
  rememberedOf: () => ({}),
  nameOf: (row) => row.name,
  raisedBy: (emitted, row) => ({
    event: "counter.tenth",
    data: { id: row.id, name: row.name, count: emitted["count"] },
    subject: `counter:${row.id}`,
  }),
  effects: {},
  safe: [],
});

export const origin = systemOrigin("bench");

export function supervisorOn(db: Database): Supervisor {
  const supervisor = new Supervisor({
    commits: db.commits,
    reads: db.reads,
    clock: systemClock,
    deliveries: { record: () => {} },
    alone: true,
    onError: (error) => {
      throw error;
    },
  });
  supervisor.register(counter);
  return supervisor;
}

/** A database with `actors` counters, ids from 1. */
export async function openCounters(dialect: Dialect, actors: number): Promise<TestDatabase> {
  const db = await openTestDatabase(dialect, entities);
  const values = `'counter ' || n, n % 10, ${dialect === "sqlite" ? "1" : "true"}, 1000000000000, 1, case n % 2 when 0 then 'even' else 'odd' end, '{}', 1, 1700000000000, null, null, 0, ''`;
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${actors})`;
  const columns = "id, name, count, enabled, cap, rev, mstate, mctx, mver, msince, due_at, fault_at, fault_count, fault_message";
  const mctx = dialect === "sqlite" ? values : values.replace("'{}'", "'{}'::jsonb");
  const text = `${numbers} insert into counters (${columns}) select n, ${mctx} from numbers`;
  await db.commits.execute({
    name: "seed",
    statements: [
      {
        label: "seed",
        text: dialect === "sqlite" ? `insert into counters (${columns}) ${numbers} select n, ${mctx} from numbers` : text,
        values: [],
        rows: actors,
      },
    ],
  });
  if (dialect === "postgresql") await db.reads.query(sql`select 1`);
  return db;
}
