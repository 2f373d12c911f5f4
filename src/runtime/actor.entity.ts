// Tables of the runtime: the columns that make an entity an actor, and its timers, effects and journal.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";
import type { Problem } from "./problems.schema.ts";

/** Faults in a row after which an actor is left alone. */
export const FAULT_LIMIT = 3;
/** The state that the journal shows of an actor that is gone. */
export const DELETED = "deleted";

/** Columns of every actor's table. Written by the runtime alone. */
export const actorColumns = () => ({
  /** +1 per committed transition; the journal's `seq`. */
  rev: p.bigint("number"),
  /** The chart's state, nested states joined by dots. */
  mstate: p.text(),
  /** What the chart remembers that no column holds. */
  mctx: p.json<Record<string, unknown>>(),
  /** Version of the chart that wrote `mstate` and `mctx`. */
  mver: p.bigint("number"),
  /** Unix milliseconds since when the actor is in this state. */
  msince: p.bigint("number"),
  /** Id of the newest entry of the actor's journal; null for a row that no transition has written yet. */
  mlast: p.bigint("number").nullable(),
  /** Unix milliseconds of the deadline that follows from the row's columns; null when there is none. */
  dueAt: p.bigint("number").nullable(),
  faultAt: p.bigint("number").nullable(),
  /** Faults in a row from timers and effects; from `FAULT_LIMIT` on the actor is in quarantine. */
  faultCount: p.bigint("number"),
  faultMessage: p.text(),
  /** The same as a code with values; null without a fault, and in rows of older panels. */
  faultCause: p.json<Problem>().nullable(),
});

export interface ActorColumns {
  rev: number;
  mstate: string;
  mctx: Record<string, unknown>;
  mver: number;
  msince: number;
  mlast: number | null;
  dueAt: number | null;
  faultAt: number | null;
  faultCount: number;
  faultMessage: string;
  faultCause: Problem | null;
}

/** A row of an actor's table. */
export type ActorRow = ActorColumns & { id: number };

export const TimerRows = entity(
  defineEntity({
    name: "Timer",
    tableName: "timers",
    properties: {
      /** `kind:actorId:name`. */
      id: p.text().primary(),
      kind: p.text(),
      actorId: p.bigint("number"),
      name: p.text(),
      /** The event that the actor gets. */
      event: p.text(),
      /** Unix milliseconds. */
      dueAt: p.bigint("number"),
    },
    indexes: [{ properties: ["dueAt"] }],
  }),
  { owned: true },
);
export type TimerRow = RowOf<typeof TimerRows>;

/**
 * How many actors are in each state, as summands: each running commit adds to its own rows, so that none waits for
 * another (see `state-counts.ts`). A summand may be below zero.
 */
export const StateCountRows = entity(
  defineEntity({
    name: "StateCount",
    tableName: "state_counts",
    properties: {
      /** `hand:kind:state`. */
      id: p.text().primary(),
      kind: p.text(),
      state: p.text(),
      total: p.bigint("number"),
    },
  }),
);

/**
 * Indexes of every actor's table, called `table` in the database: by state and how long, and of those in quarantine.
 */
export const actorIndexes = (table: string) => [
  { properties: ["mstate" as const, "msince" as const, "id" as const] },
  { name: `${table}_faults`, properties: ["faultCount" as const], where: `fault_count >= ${FAULT_LIMIT}` },
];

export const EffectRows = entity(
  defineEntity({
    name: "Effect",
    tableName: "effects",
    properties: {
      /** `kind:actorId:invokeId`: a chart runs at most one effect of an invoke at a time. */
      id: p.text().primary(),
      /** Idempotency key, the same for every attempt: `kind:actorId:rev:index`. */
      run: p.text(),
      kind: p.text(),
      actorId: p.bigint("number"),
      invokeId: p.text(),
      src: p.text(),
      /** Null for an invoke without input. */
      input: p.json<unknown>().nullable(),
      /**
       * `pending` until `nextAt`, then `running` under a lease. `ended`: an errand that the chart left, or that failed,
       * while its work went on in `owner`.
       */
      state: p.text(),
      attempt: p.bigint("number"),
      /** Unix milliseconds. With an owner: its lease ends, or the deadline of what waits for it. Else: when to try. */
      nextAt: p.bigint("number"),
      /** Boot id of the process that runs it; of an errand that is `pending`, of one where an earlier run goes on. */
      owner: p.text(),
      startedAt: p.bigint("number").nullable(),
      lastError: p.text(),
      /** The same as a code with values. */
      lastCause: p.json<Problem>().nullable(),
      /** Unix milliseconds: when an errand must be done, over all attempts. Null: no errand. */
      deadlineAt: p.bigint("number").nullable(),
      /** Boot id of the process that has the secrets of this errand: no other may run it. Null: every process may. */
      home: p.text().nullable(),
    },
    indexes: [{ properties: ["nextAt"] }, { name: "effects_home", properties: ["home"], where: "home is not null" }],
  }),
  { owned: true },
);
export type EffectRow = RowOf<typeof EffectRows>;

/**
 * The journal has no index over actors: at random places, it would double what a transition writes. Each entry names
 * the one before it, the actor's row the newest one; of actors that are gone the last entry is found by an index that
 * holds such entries alone. See `journal.ts`.
 */
export const JournalRows = entity(
  defineEntity({
    name: "JournalEntry",
    tableName: "journal",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      kind: p.text(),
      actorId: p.bigint("number"),
      /** The actor's `rev` after the transition: gapless per actor, from 1. */
      seq: p.bigint("number"),
      /** Unix milliseconds. */
      at: p.bigint("number"),
      event: p.text(),
      /** Null for the first entry. */
      fromState: p.text().nullable(),
      toState: p.text(),
      via: p.text(),
      actor: p.text(),
      adminId: p.bigint("number"),
      /** Effects that the transition started, by `src`, separated by spaces. */
      effects: p.text(),
      /** Milliseconds that the actor had been in `fromState`. */
      took: p.bigint("number"),
      /** JSON `{field: [before, after]}` of the chart's own columns and context, at most 2 KiB; see `changes.ts`. */
      changed: p.text(),
      /** Id of the actor's entry before this one; null for the first. */
      previous: p.bigint("number").nullable(),
    },
    indexes: [{ name: "journal_ends", properties: ["kind", "actorId"], where: `to_state = '${DELETED}'` }],
  }),
);
export type JournalRow = RowOf<typeof JournalRows>;
