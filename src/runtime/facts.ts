// What commits tell those who listen to them.
import type { Origin } from "../lib/origin.ts";

/**
 * Facts of the runtime that every process on a shared database must hear: what was done, what began, what ended. The
 * rest (timers armed, effects asked for) concerns the process that committed it; should that one die, the others find
 * the rows.
 */
export const SHARED_FACTS: readonly string[] = ["transition", "fault", "event", "residents", "effectEnded", "shards"];

/** A committed transition, as listeners hear of it (fact `transition`). */
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
 * An actor that was put in quarantine, or (`fault` null) lifted out of it (fact `fault`). No transition: its state and
 * its journal are as before.
 */
export interface FaultChange {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** `at`: Unix milliseconds. */
  readonly fault: { readonly at: number; readonly count: number; readonly message: string } | null;
}

/** Residents that a commit starts and stops (fact `residents`). */
export interface ResidentChange {
  readonly kind: string;
  readonly id: number;
  /** The actor's `rev` after the commit. */
  readonly rev: number;
  readonly start: readonly { readonly invokeId: string; readonly src: string }[];
  /** Invokes that are active from now on; residents of the actor not among them end. */
  readonly active: readonly string[];
  /** Those of `start` begin anew although the chart did not enter their state again. */
  readonly anew?: true;
}

/** An effect that a commit ended (fact `effectEnded`): its runs begun before the actor's revision `rev`. */
export interface EffectEnd {
  readonly id: string;
  readonly rev: number;
}
