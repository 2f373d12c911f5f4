// The actor that simulations are made of: a chart that uses everything the runtime carries out, and the tables around
// it.
import { defineEntity, p } from "@mikro-orm/core";
import { assign, emit, fromPromise, setup } from "xstate";
import { entity, lock, type RowOf } from "../../src/db/index.ts";
import {
  actorColumns,
  defineActor,
  EffectRows,
  EventRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  TimerRows,
  type ResidentEffect,
} from "../../src/runtime/index.ts";
import { type ActorDefinition, type QueuedEffect } from "../../src/runtime/testing.ts";

export const Jobs = entity(
  defineEntity({
    name: "Job",
    tableName: "jobs",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text().unique(),
      /** Milliseconds that the job waits. */
      patience: p.bigint("number"),
      /** Unix milliseconds; null when there is none. */
      deadline: p.bigint("number").nullable(),
      /** Notes taken. */
      count: p.bigint("number"),
      /** Moved between two jobs by one command; the sum over all stays 0. */
      balance: p.bigint("number"),
      ...actorColumns(),
    },
  }),
);
export type JobRow = RowOf<typeof Jobs>;

/** What set-based statements count, as usage is counted: `used` is theirs, `wakeAt` the chart's. */
export const Meters = entity(
  defineEntity({
    name: "Meter",
    tableName: "meters",
    properties: {
      /** Equals the job's id. */
      id: p.bigint("number").primary().autoincrement(false),
      used: p.bigint("number"),
      /** Amount at which the job must look. */
      wakeAt: p.bigint("number"),
    },
  }),
);

/** A command that was carried out, with its answer: as the idempotency record of a request. */
export const Marks = entity(
  defineEntity({
    name: "Mark",
    tableName: "marks",
    properties: { id: p.text().primary(), actorId: p.bigint("number"), answer: p.text() },
  }),
);

/** Deliveries of events. */
export const Heard = entity(
  defineEntity({
    name: "Heard",
    tableName: "heard",
    properties: { id: p.bigint("number").primary().autoincrement(false), eventId: p.bigint("number") },
  }),
);

export const entities = [
  Jobs,
  Meters,
  Marks,
  Heard,
  TimerRows,
  EffectRows,
  JournalRows,
  EventRows,
  ShardRows,
  StateCountRows,
];

export interface JobContext {
  patience: number;
  deadline: number | null;
  count: number;
  /** The counters crossed the line. */
  over: boolean;
  /** Failed attempts of the line in a row. */
  attempt: number;
  /** Idempotency key and attempt of the last result. */
  result: string;
  /** What the last beat of the line said. */
  beat: string;
}

type JobEvent =
  | { type: "go" | "stop" | "again" | "wait" | "trap" | "boom" | "link" | "note" | "due" | "opened" | "lost" }
  | { type: "beat"; beat: string }
  | { type: "xstate.done.actor.work"; output: unknown }
  | { type: "xstate.done.actor.check"; output: unknown };

type JobEmitted = { type: "job.noted" | "job.worked" | "job.elapsed" | "job.opened" | "job.capped" };

const carriedOut = () => Promise.reject(new Error("carried out by the runtime"));

export const LIMIT_MS = 8000;
export const DIAL_MS = 5000;
/** The chart's wait before a lost line is tried again. */
export const backoffOf = (attempt: number) => Math.min(4000, 100 * 2 ** attempt);

export const jobChart = setup({
  types: { context: {} as JobContext, input: {} as JobContext, events: {} as JobEvent, emitted: {} as JobEmitted },
  actors: {
    work: fromPromise<unknown, { patience: number }>(carriedOut),
    check: fromPromise<unknown>(carriedOut),
    line: fromPromise<unknown>(carriedOut),
  },
  delays: {
    patience: ({ context }) => context.patience,
    limit: LIMIT_MS,
    dialDeadline: DIAL_MS,
    backoff: ({ context }) => backoffOf(context.attempt),
  },
  guards: { over: ({ context }) => context.over },
  actions: {
    count: assign({ count: ({ context }) => context.count + 1 }),
    clearDeadline: assign({ deadline: null }),
    keepResult: assign({ result: ({ event }) => ("output" in event ? String(event.output) : "") }),
    keepBeat: assign({ beat: ({ event }) => (event.type === "beat" ? event.beat : "") }),
    noteLoss: assign({ attempt: ({ context }) => context.attempt + 1 }),
    forgetLosses: assign({ attempt: 0 }),
    sayNoted: emit({ type: "job.noted" }),
    sayWorked: emit({ type: "job.worked" }),
    sayElapsed: emit({ type: "job.elapsed" }),
    sayOpened: emit({ type: "job.opened" }),
    sayCapped: emit({ type: "job.capped" }),
    boom: assign(() => {
      throw new RangeError("boom");
    }),
  },
}).createMachine({
  id: "job",
  context: ({ input }) => input,
  initial: "idle",
  on: {
    note: { actions: ["count", "sayNoted"] },
    boom: { actions: "boom" },
    due: [{ guard: "over", actions: ["clearDeadline", "sayCapped"] }, { actions: "clearDeadline" }],
  },
  states: {
    idle: { on: { go: "busy", wait: "waiting", trap: "trapped", link: "linked" } },
    busy: {
      initial: "working",
      on: { stop: "idle", again: { target: "busy", reenter: true } },
      after: { limit: "failed" },
      states: {
        working: {
          invoke: {
            id: "work",
            src: "work",
            input: ({ context }) => ({ patience: context.patience }),
            onDone: { target: "checking", actions: ["keepResult", "sayWorked"] },
            onError: "#job.failed",
          },
        },
        checking: {
          invoke: {
            id: "check",
            src: "check",
            onDone: { target: "#job.over", actions: "keepResult" },
            onError: "#job.failed",
          },
        },
      },
    },
    waiting: {
      after: { patience: { target: "over", actions: "sayElapsed" } },
      on: { stop: "idle", again: { target: "waiting", reenter: true } },
    },
    linked: {
      invoke: { id: "line", src: "line" },
      on: {
        stop: "idle",
        again: { target: "linked", reenter: true },
        lost: { target: "retrying", actions: "noteLoss" },
      },
      initial: "dialing",
      states: {
        dialing: {
          after: { dialDeadline: { target: "#job.retrying", actions: "noteLoss" } },
          on: { opened: { target: "up", actions: ["forgetLosses", "sayOpened"] } },
        },
        up: { on: { beat: { actions: "keepBeat" } } },
      },
    },
    retrying: { after: { backoff: "linked" }, on: { stop: "idle" } },
    trapped: { after: { patience: { actions: "boom" } }, on: { stop: "idle" } },
    over: { on: { go: "busy", wait: "waiting", link: "linked" } },
    failed: { on: { go: "busy", stop: "idle" } },
  },
});

/** Further use that a job may make after it was capped. */
export const ALLOWANCE = 40;

export interface JobEffects {
  readonly work: QueuedEffect;
  readonly check: QueuedEffect;
  readonly line: ResidentEffect;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** The kind of actor, with the effects of one process. */
export function defineJob(effects: JobEffects) {
  return defineActor<JobRow, JobContext>({
    kind: "job",
    description: "A simulation's job.",
    entity: Jobs,
    machine: jobChart,
    version: 1,
    locks: (id) => [lock(Meters, id)],
    contextOf(row, stored, draft) {
      const meter = draft.find(Meters, row.id);
      return {
        patience: row.patience,
        deadline: row.deadline,
        count: row.count,
        over: meter !== undefined && meter.used >= meter.wakeAt,
        attempt: number(stored["attempt"]),
        result: text(stored["result"]),
        beat: text(stored["beat"]),
      };
    },
    columnsOf: ({ count, deadline }) => ({ count, deadline }),
    rememberedOf: ({ attempt, result, beat }) => ({ attempt, result, beat }),
    nameOf: (row) => row.name,
    dueOf(row, draft) {
      const meter = draft.find(Meters, row.id);
      return meter && meter.used >= meter.wakeAt ? draft.now : (row.deadline ?? undefined);
    },
    follow(draft, emitted, row) {
      const meter = draft.find(Meters, row.id);
      if (emitted.type === "job.capped" && meter) draft.update(Meters, row.id, { wakeAt: meter.used + ALLOWANCE });
    },
    raisedBy: (emitted, row) => ({ event: emitted.type, data: { id: row.id, seq: row.rev }, subject: `job:${row.id}` }),
    effects: { ...effects },
    safe: [],
  } satisfies ActorDefinition<JobRow, JobContext>);
}
export type JobActor = ReturnType<typeof defineJob>;
