// Actors that wait for a deadline, as many as wanted, and what can be seen of their waking: one transition, one journal
// entry and one event each.
import { defineEntity, p } from "@mikro-orm/core";
import { assign, emit, setup } from "xstate";
import { entity, sql, type Database, type Dialect, type RowOf } from "../../../src/db/index.ts";
import {
  actorColumns,
  defineActor,
  EffectRows,
  EventRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  TimerRows,
  type Supervisor,
} from "../../../src/runtime/index.ts";
import { echo } from "../../runtime/shared-shards.ts";
import { connectTestDatabase, createTestDatabase } from "../../database.ts";
import { origin, settle } from "./actors.ts";
import { copyRow, sizeOf, type Span } from "./copies.ts";
import { openRuntime, type Runtime } from "./runtime.ts";

const Sleepers = entity(
  defineEntity({
    name: "Sleeper",
    tableName: "sleepers",
    properties: { id: p.bigint("number").primary().autoincrement(false), name: p.text(), ...actorColumns() },
  }),
);

const chart = setup({
  types: { events: {} as { type: "turn" }, emitted: {} as { type: "sleeper.woken" } },
  delays: { sleep: () => 1_000_000_000 },
  actions: { turn: assign({}), announce: emit({ type: "sleeper.woken" as const }) },
}).createMachine({
  id: "sleeper",
  initial: "asleep",
  states: {
    asleep: { after: { sleep: { target: "awake", actions: "announce" } }, on: { turn: { actions: "turn" } } },
    awake: { on: { turn: { actions: "turn" } } },
  },
});

const sleeper = defineActor<RowOf<typeof Sleepers>, object>({
  kind: "sleeper",
  description: "A bench's sleeper.",
  entity: Sleepers,
  machine: chart,
  version: 1,
  contextOf: () => ({}),
  columnsOf: () => ({}),
  rememberedOf: () => ({}),
  nameOf: (row) => row.name,
  raisedBy: (emitted, row) => ({ event: emitted.type, data: { id: row.id }, subject: `sleeper:${row.id}` }),
  effects: {},
  safe: [],
});

/** The one that all others are copies of. It sleeps on, and can be asked to turn over. */
const FIRST = 1;

export interface Bedroom {
  readonly db: Database;
  /** A runtime, not started; stopped by who asked for it, before the next one. */
  runtime(): Promise<Runtime>;
  /** Makes sleepers with the ids of `span`, without their timers. */
  lay(span: Span): Promise<void>;
  /** Arms their timers. `dueAt`: when they wake, as SQL in which `n` is the id; Unix milliseconds. */
  arm(span: Span, dueAt: string): Promise<void>;
  /** Throws unless all of `count` sleepers woke, once each. */
  check(count: number): Promise<void>;
  /** Closes the database and removes it. */
  dispose(): Promise<void>;
}

export async function openBedroom(dialect: Dialect): Promise<Bedroom> {
  const entities = [Sleepers, TimerRows, EffectRows, JournalRows, ShardRows, StateCountRows, EventRows];
  const { url, drop } = await createTestDatabase(dialect, entities);
  const db = await connectTestDatabase(url, entities, Date.now, echo);
  const { commits, reads } = db;
  const runtime = () => openRuntime(db, sleeper);
  const maker = await runtime();
  await commits.submit({
    name: "first sleeper",
    locks: [],
    decide: (draft) => maker.supervisor.create(draft, sleeper, { id: FIRST, name: "sleeper" }, origin),
  });
  const [timer] = await reads.rows(TimerRows, sql`select * from timers`);
  if (!timer) throw new Error("a sleeper has no timer");
  await maker.stop();
  return {
    db,
    runtime,
    dispose: async () => {
      await db.close();
      await drop();
    },
    lay: async (span) => {
      await copyRow(db, "sleepers", String(FIRST), span, { id: "n", name: "'sleeper ' || n", rev: "1" });
      await settle(db);
    },
    arm: (span, dueAt) =>
      copyRow(db, "timers", `'${timer.id}'`, span, {
        id: `'sleeper:' || n || ':${timer.name}'`,
        actor_id: "n",
        due_at: dueAt,
      }),
    check: async (count) => {
      const counted = async (from: string) => {
        const [row] = await reads.query<{ rows: number }>(sql`select count(*) as rows from ${sql.table(from)}`);
        return row?.rows;
      };
      const [woken] = await reads.query<{ rows: number; actors: number }>(
        sql`select count(*) as rows, count(distinct actor_id) as actors from journal where from_state = 'asleep' and to_state = 'awake'`,
      );
      const found = { ...woken, events: await counted("events"), timers: await counted("timers") };
      const expected = { rows: count, actors: count, events: count, timers: 1 };
      if (JSON.stringify(found) !== JSON.stringify(expected))
        throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
    },
  };
}

/**
 * Asks a sleeper, asleep or not, to turn over: a command among the deadlines. The first one unless another is named.
 */
export const turn = (supervisor: Supervisor, id = FIRST) => supervisor.ask("sleeper", id, { type: "turn" }, origin);

/** Calls `woke` for every sleeper whose waking is on disk; resolves when all of `span` are awake. */
export function allAwake({ db }: Bedroom, span: Span, woke: (id: number) => void = () => {}): Promise<void> {
  let left = sizeOf(span);
  return new Promise((resolve) => {
    const unlisten = db.commits.onCommit(({ changes }) => {
      for (const { table, id, after } of changes) {
        if (table !== "sleepers" || after?.["mstate"] !== "awake") continue;
        woke(Number(id));
        if (--left > 0) continue;
        unlisten();
        resolve();
      }
    });
  });
}
