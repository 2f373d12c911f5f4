// What commits tell those who listen to the runtime.
import { z } from "zod";
import { defineFact } from "../db/index.ts";
import type { Origin } from "../lib/origin.ts";
import type { EffectRow, TimerRow } from "./actor.entity.ts";
import type { EventRow } from "./events.entity.ts";
import { Problem } from "./problems.schema.ts";

/** A committed transition, as listeners receive it. */
export interface Transition {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly seq: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
  /** Where the row said another state than `from`, the one that an older version of the chart wrote. */
  readonly stored?: string;
  readonly origin: Origin;
}

/**
 * An actor that was put in quarantine, or (`fault` null) lifted out of it. No transition: its state and its journal are
 * as before.
 */
export interface FaultChange {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** `at`: Unix milliseconds. */
  readonly fault: {
    readonly at: number;
    readonly count: number;
    readonly message: string;
    /** Absent in what an older panel says. */
    readonly cause?: Problem | null | undefined;
  } | null;
}

/** Residents that a commit starts and stops. */
export interface ResidentChange {
  readonly kind: string;
  readonly id: number;
  /** The actor's `rev` after the commit. */
  readonly rev: number;
  readonly start: readonly { readonly invokeId: string; readonly src: string }[];
  /** Invokes that are active from now on; residents of the actor not among them end. */
  readonly active: readonly string[];
  /** The invokes in `start` start again although the chart did not enter their state again. */
  readonly anew?: true;
}

/** An effect that a commit ended: its runs begun before the actor's revision `rev`. */
export interface EffectEnd {
  readonly id: string;
  readonly rev: number;
}

const origin = z.object({
  via: z.enum(["session", "token", "cli", "system"]),
  actor: z.string(),
  adminId: z.int(),
  tokenId: z.int(),
  ip: z.string(),
});

const actor = { kind: z.string(), id: z.int(), name: z.string() };

export const TRANSITION = defineFact<Transition>(
  "transition",
  z.object({
    ...actor,
    seq: z.int(),
    at: z.number(),
    event: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    stored: z.string().exactOptional(),
    origin,
  }),
);
export const FAULT = defineFact<FaultChange>(
  "fault",
  z.object({
    ...actor,
    fault: z
      .object({ at: z.number(), count: z.int(), message: z.string(), cause: Problem.nullable().optional() })
      .nullable(),
  }),
);
/** An event was raised: its row. */
export const EVENT = defineFact<EventRow>(
  "event",
  z.object({
    id: z.int(),
    event: z.string(),
    time: z.int(),
    data: z.string(),
    adminId: z.int().nullable(),
    subject: z.string(),
    position: z.int().nullable().default(null),
  }),
);
export const RESIDENTS = defineFact<ResidentChange>(
  "residents",
  z.object({
    kind: z.string(),
    id: z.int(),
    rev: z.int(),
    start: z.array(z.object({ invokeId: z.string(), src: z.string() })),
    active: z.array(z.string()),
    anew: z.literal(true).exactOptional(),
  }),
);
export const EFFECT_ENDED = defineFact<EffectEnd>("effectEnded", z.object({ id: z.string(), rev: z.int() }));
/** The log of an actor's errands has new lines; `seq`: the newest. */
export const ERRAND_LINES = defineFact("errandLines", z.object({ kind: z.string(), id: z.int(), seq: z.int() }));
/** Secrets that a process (`home`, a boot id) kept for an actor are needed no more. */
export const SECRETS_DROPPED = defineFact("secretsDropped", z.object({ home: z.string(), ticket: z.int() }));
/** Shards are free, or a process takes part from now on: its boot id. */
export const SHARDS_MOVED = defineFact("shards", z.string());

/**
 * What every process on a shared database must hear: what was done, what began, what ended. The rest (timers armed,
 * effects asked for) concerns the process that committed it; should that one die, the others find the rows.
 */
export const SHARED_FACTS = [
  TRANSITION,
  FAULT,
  EVENT,
  RESIDENTS,
  EFFECT_ENDED,
  ERRAND_LINES,
  SECRETS_DROPPED,
  SHARDS_MOVED,
] as const;

/** A timer was armed. */
export const TIMER = defineFact<TimerRow>("timer");
/** An effect was asked for. */
export const EFFECT = defineFact<EffectRow>("effect");
/** Secrets in the memory of this process belong to an actor (`errandId`). */
export const SECRETS_GIVEN = defineFact<{ readonly id: string; readonly ticket: number }>("secretsGiven");
/** Timers may be due that no actor armed: see `wakeActors`. */
export const DUE = defineFact<true>("due");
