// Steps that no caller waits for: of due timers, ended effects and residents. A fault of a chart is counted on its
// actor, and an absent database is left to the next try.
//
// Invariants:
// - The row of a timer or an effect goes in the same commit as the transition that it causes. A row that is gone, is
//   due later or carries another `run` was overtaken: then nothing happens.
// - An actor that a newer panel wrote is put aside: nothing is counted on it, its timers, effects and what its resident
//   says stay until a panel that knows its chart takes them.
// - What a resident says is told until it is on disk, its actor refuses it, or the resident ended.
import type { AnyEventObject } from "xstate";
import { lock, StoreUnavailable, type Committer, type Draft, type Lock } from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import { systemOrigin } from "../lib/origin.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import { EffectRows, FAULT_LIMIT, TimerRows, type ActorRow, type EffectRow, type TimerRow } from "./actor.entity.ts";
import type { ActorKind } from "./definition.ts";
import type { EffectOutcome } from "./effect-outcome.ts";
import { ActorMissing, ActorQuarantined, ChartTooNew } from "./errors.ts";
import { FAULT } from "./facts.ts";
import { lookAgainAt } from "./aside-rows.ts";
import { chartProblem } from "./problems.ts";
import { DUE_TIMER, endErrand, PARKED_MS, timerId } from "./step-actions.ts";
import type { Stepper } from "./step.ts";

/** Between tries of telling an actor something while the database is away. */
const DELIVER_AGAIN_MS = 1000;
/** Between tries of telling an actor that is put aside. */
const ASIDE_AGAIN_MS = 10_000;
/** Actors of which it is said that they are put aside: what is said of so many holds for more. */
const MOST_SAID = 1000;

/** What moves an actor that no caller moves: a timer, an effect or a resident. */
type Mover = Exclude<SignalTable["runtime.command"]["by"], "caller">;

export interface BackgroundStepsDeps {
  readonly commits: Committer;
  readonly clock: Clock;
  readonly stepper: Stepper;
  readonly signals: Signals;
  /** The kind of that name; undefined where this panel does not know it. */
  readonly kindOf: (name: string) => ActorKind | undefined;
  /** Background work ends: what a resident says is not told any more. */
  readonly draining: () => boolean;
  readonly onError: (error: unknown, about: string) => void;
}

export class BackgroundSteps {
  readonly #deps: BackgroundStepsDeps;
  readonly #commands: Signal<SignalTable["runtime.command"]>;
  readonly #faults: Signal<SignalTable["runtime.fault"]>;
  readonly #saidAside = new Set<string>();

  constructor(deps: BackgroundStepsDeps) {
    this.#deps = deps;
    this.#commands = deps.signals.of("runtime.command");
    this.#faults = deps.signals.of("runtime.fault");
  }

  /**
   * A due timer: its row goes in the same commit as the transition. A row that is gone, or due later, was overtaken.
   * Resolves to whether the row stays as it is for a newer panel.
   */
  async fire(timer: TimerRow): Promise<boolean> {
    const known = this.#deps.kindOf(timer.kind);
    if (!known) return true;
    const origin = systemOrigin("timer");
    const told = await this.#guarded("timer", timer.kind, timer.actorId, () =>
      this.#deps.commits.submit({
        name: `${timer.kind}.timer`,
        locks: [lock(TimerRows, timer.id), ...locksOf(known, timer.actorId)],
        decide: (draft) => {
          const row = draft.find(TimerRows, timer.id);
          if (!row || row.dueAt > draft.now) return;
          const actor = draft.find(known.definition.entity, timer.actorId);
          if (!actor) {
            draft.delete(TimerRows, timer.id);
            return;
          }
          if (actor.faultCount >= FAULT_LIMIT) {
            draft.update(TimerRows, timer.id, { dueAt: draft.now + PARKED_MS });
            return;
          }
          if (actor.mver > known.definition.version) {
            const dueAt = lookAgainAt(row.dueAt, draft.now);
            if (dueAt === undefined) throw tooNew(known, actor);
            draft.update(TimerRows, timer.id, { dueAt });
            return;
          }
          draft.delete(TimerRows, timer.id);
          // A deadline of the row's columns: it counts as said, so that what still is due after the step is written
          // again.
          if (timer.name === DUE_TIMER) draft.update(known.definition.entity, timer.actorId, { dueAt: null });
          const { handled } = this.#deps.stepper.step(
            draft,
            known,
            timer.actorId,
            { type: row.event, at: draft.now },
            origin,
          );
          if (!handled) this.#holdBack(draft, known, timer);
        },
      }),
    );
    return told === "aside";
  }

  /**
   * A deadline that the chart did not take and that is still due would fire without end: a defect of the chart, slowed
   * down to one try a minute.
   */
  #holdBack(draft: Draft, kind: ActorKind, timer: TimerRow): void {
    const actor = draft.find(kind.definition.entity, timer.actorId);
    if (timer.name !== DUE_TIMER || !actor || actor.dueAt === null || actor.dueAt > draft.now) return;
    const later = draft.now + PARKED_MS;
    draft.update(kind.definition.entity, timer.actorId, { dueAt: later });
    draft.upsert(TimerRows, { ...timer, id: timerId(timer.kind, timer.actorId, timer.name), dueAt: later });
  }

  /** The end of an effect. Resolves to false when the actor could not take it; never rejects. */
  async settle(effect: EffectRow, outcome: EffectOutcome): Promise<boolean> {
    const known = this.#known(effect.kind);
    const event = outcome.ok
      ? { type: `xstate.done.actor.${effect.invokeId}`, output: outcome.output, actorId: effect.invokeId }
      : {
          type: `xstate.error.actor.${effect.invokeId}`,
          error: outcome.error,
          ...(outcome.cause && { cause: outcome.cause }),
          actorId: effect.invokeId,
        };
    const told = await this.#guarded("effect", effect.kind, effect.actorId, () =>
      this.#deps.commits.submit({
        name: `${effect.kind}.effect`,
        locks: [lock(EffectRows, effect.id), ...locksOf(known, effect.actorId)],
        decide: (draft) => {
          const row = draft.find(EffectRows, effect.id);
          if (row?.run !== effect.run || row.state === "ended") return;
          if (!outcome.ok && outcome.goesOn) endErrand(draft, effect.id);
          else draft.delete(EffectRows, effect.id);
          this.#deps.stepper.step(draft, known, effect.actorId, { ...event, at: draft.now }, systemOrigin("effect"));
        },
      }),
    );
    return told === "done";
  }

  /**
   * What a resident saw must reach its actor, or the actor would believe in a resident that is done: an absent database
   * is waited for, a chart that throws is told again until its quarantine.
   */
  async deliver(kind: string, id: number, event: AnyEventObject, alive: () => boolean): Promise<void> {
    const known = this.#known(kind);
    while (!this.#deps.draining() && alive()) {
      const told = await this.#guarded("resident", kind, id, () =>
        this.#deps.commits.submit({
          name: `${kind}.${event.type}`,
          locks: locksOf(known, id),
          decide: (draft) => alive() && this.#deps.stepper.step(draft, known, id, event, systemOrigin("effect")),
        }),
      );
      if (told === "done" || told === "refused") return;
      const wait = told === "aside" ? ASIDE_AGAIN_MS : DELIVER_AGAIN_MS;
      await new Promise<void>((resolve) => this.#deps.clock.after(wait, resolve));
    }
  }

  /**
   * Nobody waits for the outcome: a chart's fault is counted on its actor, an absent database is left to the next try.
   */
  async #guarded(by: Mover, kind: string, id: number, work: () => Promise<unknown>): Promise<Told> {
    const begun = this.#commands.begun();
    const { told, error } = await attempted(work);
    if (begun !== undefined)
      this.#commands.tell({ kind, by, ended: endOf(told, error), ms: this.#commands.since(begun) });
    if (told === "aside") this.#sayAside(`${kind} ${id}`, error);
    if (told !== "again") return told;
    this.#deps.onError(error, `${kind} ${id}`);
    if (!(error instanceof StoreUnavailable)) await this.#countFault(kind, id, error);
    return told;
  }

  /** Once for each actor. */
  #sayAside(about: string, error: unknown): void {
    if (this.#saidAside.has(about) || this.#saidAside.size >= MOST_SAID) return;
    this.#saidAside.add(about);
    this.#deps.onError(error, about);
  }

  async #countFault(kind: string, id: number, error: unknown): Promise<void> {
    const { definition } = this.#known(kind);
    const { message, cause } = chartProblem(error);
    try {
      const quarantined = await this.#deps.commits.submit({
        name: `${kind}.fault`,
        locks: [lock(definition.entity, id)],
        decide: (draft) => {
          const row = draft.find(definition.entity, id);
          if (!row) return false;
          const count = row.faultCount + 1;
          const noted = { faultAt: draft.now, faultCount: count, faultMessage: message, faultCause: cause };
          draft.update(definition.entity, id, noted);
          if (count < FAULT_LIMIT) return false;
          const fault = { at: draft.now, count, message, cause };
          draft.publish(FAULT, { kind, id, name: definition.nameOf(row), fault });
          return true;
        },
      });
      if (this.#faults.heard) this.#faults.tell({ kind, quarantined });
    } catch (failure) {
      this.#deps.onError(failure, `${kind} ${id}`);
    }
  }

  #known(name: string): ActorKind {
    const kind = this.#deps.kindOf(name);
    if (!kind) throw new Error(`there are no actors of kind ${name}`);
    return kind;
  }
}

/**
 * `refused`: the actor is gone or in quarantine. `again`: the chart threw, or the database is away. `aside`: a newer
 * panel wrote the actor.
 */
type Told = "done" | "refused" | "again" | "aside";

async function attempted(work: () => Promise<unknown>): Promise<{ readonly told: Told; readonly error?: unknown }> {
  try {
    await work();
    return { told: "done" };
  } catch (error) {
    if (error instanceof ChartTooNew) return { told: "aside", error };
    const refused = error instanceof ActorMissing || error instanceof ActorQuarantined;
    return { told: refused ? "refused" : "again", error };
  }
}

function endOf(told: Told, error: unknown): SignalTable["runtime.command"]["ended"] {
  return told === "again" && error instanceof StoreUnavailable ? "unavailable" : told === "done" ? "done" : "refused";
}

function tooNew({ definition }: ActorKind, { id, mver }: Pick<ActorRow, "id" | "mver">): ChartTooNew {
  return new ChartTooNew(definition.kind, id, mver, definition.version);
}

/** The rows that a step of an actor needs. */
export function locksOf({ definition }: ActorKind, id: number): Lock[] {
  return [lock(definition.entity, id), ...(definition.locks?.(id) ?? [])];
}
