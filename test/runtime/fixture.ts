// A kind of actor that has everything the runtime carries out, and a panel process around it: database, supervisor, and
// a record of what was heard.
import { defineEntity, p } from "@mikro-orm/core";
import { assign, emit, fromPromise, setup } from "xstate";
import { entity, lock, sql, type Database, type Processes, type RowOf } from "../../src/db/index.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import type { Signals } from "../../src/lib/signals.ts";
import {
  actorColumns,
  defineActor,
  EffectRows,
  ErrandLineRows,
  ErrandRows,
  EventRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  Supervisor,
  TimerRows,
  type EventRow,
  type JournalRow,
  type ResidentEffect,
  type Shards,
} from "../../src/runtime/index.ts";
import {
  type ActorDefinition,
  type EffectRun,
  type Errand,
  type ErrandRun,
  type QueuedEffect,
} from "../../src/runtime/testing.ts";
import { soleShards } from "./sole-shards.ts";

export const Jobs = entity(
  defineEntity({
    name: "Job",
    tableName: "jobs",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text().unique(),
      /** Milliseconds. */
      patience: p.bigint("number"),
      /** Unix milliseconds. */
      deadline: p.bigint("number").nullable(),
      count: p.bigint("number"),
      ...actorColumns(),
    },
  }),
);
export type JobRow = RowOf<typeof Jobs>;

export const Heard = entity(
  defineEntity({
    name: "Heard",
    tableName: "heard",
    properties: { id: p.bigint("number").primary().autoincrement(false), eventId: p.bigint("number") },
  }),
);

export const entities = [
  Jobs,
  Heard,
  TimerRows,
  EffectRows,
  ErrandRows,
  ErrandLineRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  EventRows,
];

export interface JobContext {
  patience: number;
  count: number;
  deadline: number | null;
  note: string;
}

type JobEvent =
  | { type: "go" | "stop" | "again" | "wait" | "trap" | "boom" | "link" | "lost" | "count" | "due" | "bare" }
  | { type: "xstate.done.actor.work"; output: unknown }
  | { type: "xstate.error.actor.work"; error: unknown };

export const jobChart = setup({
  types: {
    context: {} as JobContext,
    input: {} as JobContext,
    events: {} as JobEvent,
    emitted: {} as { type: "job.counted"; count: number },
  },
  actors: {
    work: fromPromise<unknown, { patience: number }>(() => Promise.reject(new Error("carried out by the runtime"))),
    bare: fromPromise<unknown>(() => Promise.reject(new Error("carried out by the runtime"))),
    line: fromPromise<unknown>(() => Promise.reject(new Error("carried out by the runtime"))),
  },
  delays: { patience: ({ context }) => context.patience },
  actions: {
    count: assign({ count: ({ context }) => context.count + 1 }),
    announce: emit(({ context }) => ({ type: "job.counted" as const, count: context.count })),
    note: assign({
      note: ({ event }) =>
        JSON.stringify("output" in event ? event.output : "error" in event ? event.error : event.type),
    }),
    clearDeadline: assign({ deadline: null }),
    boom: assign(() => {
      throw new RangeError("boom");
    }),
  },
}).createMachine({
  id: "job",
  context: ({ input }) => input,
  initial: "idle",
  on: { boom: { actions: "boom" } },
  states: {
    idle: {
      description: "Nothing to do.",
      on: {
        go: "busy",
        wait: "waiting",
        trap: "trapped",
        link: "linked",
        bare: "bare",
        count: { actions: ["count", "announce"] },
        due: { actions: ["clearDeadline", "count"] },
      },
    },
    waiting: {
      after: { patience: { target: "over", actions: ["count", "announce"] } },
      on: { stop: "idle", again: { target: "waiting", reenter: true }, count: { actions: "count" } },
    },
    trapped: { after: { patience: { actions: "boom" } }, on: { stop: "idle" } },
    busy: {
      invoke: {
        id: "work",
        src: "work",
        input: ({ context }) => ({ patience: context.patience }),
        onDone: { target: "over", actions: ["note", "count"] },
        onError: { target: "failed", actions: "note" },
      },
      on: { stop: "idle", again: { target: "busy", reenter: true }, count: { actions: "count" } },
    },
    bare: { invoke: { id: "bare", src: "bare", onDone: { target: "over", actions: "note" }, onError: "failed" } },
    linked: {
      invoke: { id: "line", src: "line", onDone: "idle", onError: "idle" },
      on: { lost: "idle", count: { actions: "count" }, again: { target: "linked", reenter: true } },
    },
    over: { on: { wait: "waiting" } },
    failed: { on: { go: "busy" } },
  },
});

/** Work that never has a result and ends when it is told to. */
export const endless = ({ signal }: Pick<EffectRun, "signal">): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
export const queued = (run: QueuedEffect["run"], limits: Partial<QueuedEffect> = {}): QueuedEffect => ({
  mode: "queued",
  concurrency: 4,
  timeoutMs: 5000,
  attempts: 3,
  backoffMs: 5,
  backoffMaxMs: 20,
  ...limits,
  run,
});

export const errand = (run: Errand["run"], limits: Partial<Errand> = {}): Errand => ({
  mode: "errand",
  concurrency: 4,
  timeoutMs: 5000,
  deadlineMs: 60_000,
  attempts: 3,
  backoffMs: 5,
  backoffMaxMs: 20,
  ...limits,
  run,
});
/** Work of an errand that ends when the test says so. */
export interface ErrandCall extends ErrandRun {
  settle(output: unknown): void;
  fail(error: Error): void;
}

export interface PanelOptions {
  readonly clock?: Clock;
  readonly work?: QueuedEffect | Errand;
  readonly bare?: QueuedEffect;
  readonly line?: ResidentEffect;
  readonly bootId?: string;
  /** All of them, as of the only process, where none are given. */
  readonly shards?: Shards;
  readonly processes?: Processes;
  readonly definition?: Partial<ActorDefinition<JobRow, JobContext>>;
  readonly signals?: Signals;
}

export const origin = systemOrigin("test");
export type Panel = ReturnType<typeof panelOn>;

/** A panel process on a database: not started, so that a test can prepare what it finds. */
export function panelOn(db: Database, options: PanelOptions = {}) {
  const { commits, reads } = db;
  const errors: string[] = [];
  const kind = defineActor<JobRow, JobContext>({
    kind: "job",
    description: "A test's job.",
    entity: Jobs,
    machine: jobChart,
    version: 1,
    contextOf: (row, stored) => ({
      patience: row.patience,
      count: row.count,
      deadline: row.deadline,
      note: typeof stored["note"] === "string" ? stored["note"] : "",
    }),
    columnsOf: ({ count, deadline }) => ({ count, deadline }),
    rememberedOf: ({ note }) => ({ note }),
    nameOf: (row) => row.name,
    dueOf: (row) => row.deadline ?? undefined,
    raisedBy: (emitted, row) => ({
      event: emitted.type,
      data: { id: row.id, count: emitted["count"] },
      subject: `job:${row.id}`,
    }),
    effects: {
      work: options.work ?? queued((_, run) => endless(run)),
      bare: options.bare ?? queued((_, run) => endless(run)),
      line: options.line ?? { mode: "resident", start: () => () => {} },
    },
    safe: [],
    ...options.definition,
  });
  const supervisor = new Supervisor({
    commits,
    reads,
    clock: options.clock ?? systemClock,
    deliveries: {
      record: (draft, event: EventRow) => draft.insert(Heard, { id: draft.nextId("heard"), eventId: event.id }),
    },
    shards: options.shards ?? soleShards(db),
    ...(options.processes && { processes: options.processes }),
    ...(options.signals && { signals: options.signals }),
    random: () => 1,
    onError: (error, about) => errors.push(`${about}: ${error instanceof Error ? error.message : String(error)}`),
    ...(options.bootId === undefined ? {} : { bootId: options.bootId }),
  });
  supervisor.register(kind);
  return {
    supervisor,
    kind,
    errors,
    create: (values: Partial<Pick<JobRow, "name" | "patience" | "deadline">> = {}) =>
      commits.submit({
        name: "job.create",
        locks: [],
        decide: (draft) => {
          const id = draft.nextId("jobs");
          supervisor.create(
            draft,
            kind,
            { id, name: `job ${id}`, patience: 1000, deadline: null, count: 0, ...values },
            origin,
          );
          return id;
        },
      }),
    ask: (id: number, type: JobEvent["type"]) => supervisor.ask("job", id, { type }, origin),
    remove: (id: number) =>
      commits.submit({
        name: "job.delete",
        locks: [lock(Jobs, id)],
        decide: (draft) => supervisor.remove(draft, kind, id, origin),
      }),
    row: async (id: number): Promise<JobRow> => {
      const row = await reads.find(Jobs, id);
      if (!row) throw new Error(`no job ${id}`);
      return row;
    },
    state: async (id: number) => (await reads.find(Jobs, id))?.mstate,
    journal: (id: number): Promise<JournalRow[]> =>
      reads.rows(JournalRows, sql`select * from journal where kind = 'job' and actor_id = ${id} order by seq`),
    timers: (id: number) => reads.rows(TimerRows, sql`select * from timers where actor_id = ${id} order by id`),
    effects: (id: number) => reads.rows(EffectRows, sql`select * from effects where actor_id = ${id} order by id`),
    lines: (id: number) =>
      reads.rows(ErrandLineRows, sql`select * from errand_lines where kind = 'job' and actor_id = ${id} order by seq`),
    events: (id: number) => reads.rows(EventRows, sql`select * from events where subject = ${`job:${id}`} order by id`),
  };
}
