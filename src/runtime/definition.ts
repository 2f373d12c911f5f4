// How a feature hands a chart to the runtime: where its state lives, what its effects do, how its events read outside.
import type { AnyEventObject, AnyStateMachine } from "xstate";
import type { Draft, Entity, Lock } from "../db/index.ts";
import { Chart } from "./chart.ts";
import type { ActorColumns, ActorRow } from "./actor.entity.ts";
import type { LineLevel, LineValue } from "./errand-log.ts";
import type { SecretsReader } from "./errand-secrets.ts";
import type { RaisedEvent } from "./outbox.ts";

/** What an effect is run with. */
export interface EffectRun {
  readonly kind: string;
  readonly actorId: number;
  /** The same for every attempt: whatever the effect does outside must be done once per key. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  /**
   * Aborted when the chart left the state, at the timeout, when the process drains, or, of a `held` effect, when it
   * lost the actor's shard.
   */
  readonly signal: AbortSignal;
  /** The fencing token of the actor's shard, where this process holds it; always for a `held` effect. */
  readonly fence: number | undefined;
}

/** An effect's way to say that trying again is pointless: the chart gets `xstate.error.actor.<id>` at once. */
export class EffectRefused extends Error {
  override readonly name = "EffectRefused";
}

/** Limits of work that a row asks for. */
interface EffectLimits {
  readonly concurrency: number;
  /** Time that one attempt may take. */
  readonly timeoutMs: number;
  /** Attempts in all. Between them waits full-jitter backoff from `backoffMs` doubling up to `backoffMaxMs`. */
  readonly attempts: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
}

/** Runs after the commit that asked for it, at least once, until it settles or its attempts are used up. */
export interface QueuedEffect extends EffectLimits {
  readonly mode: "queued";
  /** Runs only in the process that holds the actor's shard: it needs what the actor's residents have there. */
  readonly held?: true;
  run(input: unknown, run: EffectRun): Promise<unknown>;
}

/** What an errand is run with. */
export interface ErrandRun extends EffectRun {
  /**
   * Gives its place among those of its kind to others while `wait` waits for something outside (a slow peer, a poll),
   * and takes a place again before it returns. `wait` must end when the signal is aborted.
   */
  lend<T>(wait: () => Promise<T>): Promise<T>;
  /** Writes a line into the actor's log: a code with values. Its sentence is made where people read it. */
  log(level: LineLevel, code: string, ...values: readonly LineValue[]): void;
  /** Writes what a remote program said into the log, line by line, as it is. */
  print(text: string): void;
  /** The actor's secrets; undefined unless the errand's definition asks for them. */
  readonly secrets: SecretsReader | undefined;
}

/**
 * Work outside the database that may take minutes: a queued effect with a deadline over all attempts, a log and, where
 * it asks for them, secrets from the memory of the process that took the request. The chart gets
 * `xstate.error.actor.<id>` with `cause` (a `Problem`): `errand_late` at the deadline, `secret_lost` without secrets.
 */
export interface Errand extends EffectLimits {
  readonly mode: "errand";
  /** From the step that asked for it to its end, over all attempts and kills. */
  readonly deadlineMs: number;
  /** It needs the actor's secrets (`Supervisor.secrets`), so it runs in the process alone that has them. */
  readonly secrets?: true;
  readonly held?: undefined;
  run(input: unknown, run: ErrandRun): Promise<unknown>;
}

/** What an errand does. */
export type ErrandWork = Errand["run"];

/** Work that has a row in `effects`. */
export type WorkEffect = QueuedEffect | Errand;

/** What a resident effect tells its actor. Resolves when the event is committed or refused. */
export type Send = (event: AnyEventObject) => Promise<void>;

/** What a resident is begun with. */
export interface ResidentStart {
  readonly kind: string;
  readonly id: number;
  /** The process took over the actor's shard (at its start, too) and found the actor in that state. */
  readonly resumed: boolean;
  /**
   * The fencing token of the actor's shard: if two processes run a resident of the same actor, the newer one has the
   * larger token.
   */
  readonly fence: number;
  readonly send: Send;
}

/**
 * Lives as long as the chart is in the state that invokes it, in the process that holds the actor's shard; begun again
 * from the state when another one takes the shard over. It must itself tolerate being begun twice.
 */
export interface ResidentEffect {
  readonly mode: "resident";
  /** Returns the way to stop, which must not throw and has let go of everything outside when it returns. */
  start(actor: ResidentStart): () => void;
}

export type EffectHandler = WorkEffect | ResidentEffect;

/** A stored state as an older version of the chart wrote it. */
export interface StoredState {
  readonly state: string;
  readonly context: Record<string, unknown>;
}

/** A kind of actor. `R` its row, `C` its chart's context. */
export interface ActorDefinition<R extends ActorRow, C> {
  readonly kind: string;
  readonly description: string;
  readonly entity: Entity<R>;
  readonly machine: AnyStateMachine;
  /** Counts up whenever stored states of the chart before cannot be read as they are. */
  readonly version: number;
  /** From version `n` to `n + 1`, pure; tested on stored rows of every released version. */
  readonly upcasters?: Readonly<Record<number, (stored: StoredState) => StoredState>>;
  /** The chart's context, from the row, what the chart remembers (`stored`), and rows that belong to it. */
  contextOf(row: Readonly<R>, stored: Readonly<Record<string, unknown>>, draft: Draft): C;
  /** Columns that the chart owns, after a transition. */
  columnsOf(context: C, state: string): Partial<R>;
  /** What the chart remembers that no column holds. */
  rememberedOf(context: C): Record<string, unknown>;
  nameOf(row: Readonly<R>): string;
  /** The same in SQL, over a row `u` of the table, where it is not the column `name`. */
  readonly nameSql?: string;
  /**
   * The earliest deadline that follows from the row, Unix milliseconds; at it the actor gets the event `due`.
   * Undefined: none.
   */
  dueOf?(row: Readonly<R>, draft: Draft): number | undefined;
  /** Further rows that every step of the actor reads or writes. */
  locks?(id: number): Lock[];
  /** Carries out what an emitted event means for other rows, in the same commit. */
  follow?(draft: Draft, emitted: AnyEventObject, row: Readonly<R>): void;
  /** Keeps rows that are derived from the actor's in line with it; called after every step and `touch`. */
  derive?(draft: Draft, row: Readonly<R>): void;
  /**
   * An event that the chart emits, as subscribers hear it (one or several events); undefined for one that is nobody's
   * business. `before`: the row as the whole change found it; undefined: there was none.
   */
  raisedBy?(
    emitted: AnyEventObject,
    row: Readonly<R>,
    before: Readonly<R> | undefined,
  ): RaisedEvent | readonly RaisedEvent[] | undefined;
  /** What subscribers hear of a step of which they heard nothing else. */
  raisedElse?(row: Readonly<R>, before: Readonly<R>): RaisedEvent | undefined;
  readonly effects: Readonly<Record<string, EffectHandler>>;
  /** Event types that an operator may send by hand. */
  readonly safe: readonly string[];
  /** Columns of the row that are shown as part of the actor's context. */
  shown?(row: Readonly<R>): Record<string, unknown>;
  /** Consecutive attempts that the chart itself counts, in addition to those of its effects. */
  attemptsOf?(row: Readonly<R>): number;
  /**
   * Since when the actor is in trouble (Unix seconds) and how often it failed since; undefined while it is not. Tries
   * between do not end a trouble.
   */
  troubleOf?(row: Readonly<R>): { readonly since: number; readonly failures: number } | undefined;
  /**
   * Figures that the chart looks at and no column of the row holds: they move without a transition, so the journal does
   * not tell of them.
   */
  measured?(context: C): Record<string, number>;
  /** What went wrong, as the row remembers it; empty while nothing is. */
  errorOf?(row: Readonly<R>): string;
  /** The same for programs and pages, where it has a code. */
  causeOf?(row: Readonly<R>): { readonly code: string; readonly values: readonly (string | number)[] } | undefined;
  /** The row as a reader with these scopes sees it; absent: as it is. */
  seenBy?(row: Readonly<R>, scopes: ReadonlySet<string>): Readonly<R>;
  /** Fields whose past, in the journal, a reader with these scopes does not see. */
  unseenBy?(scopes: ReadonlySet<string>): readonly string[];
  /** Context fields that must not be shown. */
  readonly secrets?: readonly string[];
}

/** A definition with its chart. Registered once per process. */
export interface ActorKind<R extends ActorRow = ActorRow, C = Record<string, unknown>> {
  readonly definition: ActorDefinition<R, C>;
  readonly chart: Chart<C>;
}

export const MACHINE_COLUMNS: readonly (keyof ActorColumns)[] = [
  "rev",
  "mstate",
  "mctx",
  "mver",
  "msince",
  "mlast",
  "dueAt",
  "faultAt",
  "faultCount",
  "faultMessage",
  "faultCause",
];

export function defineActor<R extends ActorRow, C>(definition: ActorDefinition<R, C>): ActorKind<R, C> {
  const chart = new Chart<C>(definition.machine);
  for (const invoke of chart.invokes.values()) {
    if (!definition.effects[invoke.src]) throw new Error(`${definition.kind}: no effect handles ${invoke.src}`);
  }
  return { definition, chart };
}
