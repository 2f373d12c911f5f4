// A transition as changes to a draft: the row, its timers, its effects, what it raises, and the journal entry, all in
// the one commit.
import type { AnyEventObject } from "xstate";
import type { Draft } from "../db/index.ts";
import type { Origin } from "../lib/origin.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import { DELETED, FAULT_LIMIT, TimerRows, type ActorRow } from "./actor.entity.ts";
import type { ChartStep } from "./chart.ts";
import { MACHINE_COLUMNS, type ActorKind, type StoredState } from "./definition.ts";
import { dropSecrets } from "./errand-secrets.ts";
import { ActorMissing, ActorQuarantined, ChartTooNew } from "./errors.ts";
import { RESIDENTS } from "./facts.ts";
import type { Outbox } from "./outbox.ts";
import type { StateCounter } from "./state-counts.ts";
import { armTimer, carryOut, DUE_TIMER, endEffect, timerId } from "./step-actions.ts";
import { changesOf, writeEntry } from "./step-entry.ts";

export interface StepResult {
  readonly handled: boolean;
  readonly state: string;
}

export class Stepper {
  readonly #outbox: Outbox;
  readonly #counter: Pick<StateCounter, "count">;
  readonly #decisions: Signal<SignalTable["runtime.decision"]>;

  constructor(outbox: Outbox, counter: Pick<StateCounter, "count">, signals: Signals) {
    this.#outbox = outbox;
    this.#counter = counter;
    this.#decisions = signals.of("runtime.decision");
  }

  /** Inserts a record as an actor in its chart's first state. `row` carries every column but the runtime's. */
  create<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    row: Omit<R, (typeof MACHINE_COLUMNS)[number]>,
    origin: Origin,
  ): R {
    const { definition, chart } = kind;
    const fresh = {
      ...row,
      rev: 0,
      mstate: "",
      mctx: {},
      mver: definition.version,
      msince: draft.now,
      mlast: null,
      dueAt: null,
      faultAt: null,
      faultCount: 0,
      faultMessage: "",
      faultCause: null,
    };
    const seed = fresh as unknown as R;
    draft.insert(definition.entity, seed);
    const step = chart.initial(definition.contextOf(seed, {}, draft));
    return this.#write(draft, kind, seed, null, step, "created", origin);
  }

  /**
   * Gives an event to an actor whose row the draft has locked (or locks now). Throws what the chart throws,
   * `ActorMissing`, `ActorQuarantined`.
   */
  step<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    id: number,
    event: AnyEventObject,
    origin: Origin,
  ): StepResult {
    const { definition, chart } = kind;
    const row = draft.find(definition.entity, id);
    if (!row) throw new ActorMissing(definition.kind, id);
    if (row.faultCount >= FAULT_LIMIT) throw new ActorQuarantined(definition.kind, id, row.faultMessage);
    const stored = upcast(kind, row);
    const context = definition.contextOf(row, stored.context, draft);
    const begun = this.#decisions.begun();
    const step = chart.step({ state: stored.state, context }, event);
    if (begun !== undefined) {
      const { type } = event;
      this.#decisions.tell({
        kind: definition.kind,
        event: type,
        handled: step.handled,
        ms: this.#decisions.since(begun),
      });
    }
    if (!step.handled) {
      this.#due(draft, kind, row);
      return { handled: false, state: stored.state };
    }
    const after = this.#write(draft, kind, row, stored.state, step, event.type, origin);
    return { handled: true, state: after.mstate };
  }

  /** Recomputes the deadline of a row whose columns changed without an event. */
  touch<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, id: number): void {
    const row = draft.find(kind.definition.entity, id);
    if (row) this.#due(draft, kind, row);
  }

  /**
   * The last transition: row, timers and effects go, the journal stays. Returns the row as it was, with the revision
   * and the journal entry of its end: what `restore` takes.
   */
  remove<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, id: number, origin: Origin): R {
    const { definition, chart } = kind;
    const row = draft.find(definition.entity, id);
    if (!row) throw new ActorMissing(definition.kind, id);
    const after = { ...row, rev: row.rev + 1, mstate: DELETED };
    const entry = draft.nextId("journal");
    writeEntry(draft, this.#counter, kind, {
      id: entry,
      before: row,
      after,
      from: row.mstate,
      event: "deleted",
      origin,
      effects: [],
      changed: "",
    });
    draft.delete(definition.entity, id);
    for (const name of [...chart.timerNames, DUE_TIMER]) draft.delete(TimerRows, timerId(definition.kind, id, name));
    for (const invoke of chart.invokes.keys()) endEffect(draft, kind, id, invoke, row.rev + 1);
    if (Object.values(definition.effects).some((effect) => effect.mode === "errand" && effect.secrets))
      dropSecrets(draft, definition.kind, id);
    draft.publish(RESIDENTS, {
      kind: definition.kind,
      id,
      rev: row.rev + 1,
      start: [],
      active: [],
    });
    return { ...row, rev: after.rev, mlast: entry };
  }

  /**
   * Inserts the row of an actor that was removed, in the state that it had, with the deadline of its columns: its
   * journal goes on. For charts that start nothing and arm nothing, since that is not begun again.
   */
  restore<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, row: R, origin: Origin): R {
    const { definition, chart } = kind;
    if (chart.invokes.size > 0 || chart.timerNames.length > 0)
      throw new Error(`an actor of kind ${definition.kind} cannot come back: its chart has effects or timers`);
    const entry = draft.nextId("journal");
    const fresh = { rev: row.rev + 1, mlast: entry, dueAt: null, faultAt: null, faultCount: 0 };
    const after: R = { ...row, ...fresh, faultMessage: "", faultCause: null };
    draft.insert(definition.entity, after);
    writeEntry(draft, this.#counter, kind, {
      id: entry,
      before: row,
      after,
      from: null,
      event: "restored",
      origin,
      effects: [],
      changed: "",
    });
    this.#due(draft, kind, after);
    return after;
  }

  #write<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    row: Readonly<R>,
    from: string | null,
    step: ChartStep<C>,
    event: string,
    origin: Origin,
  ): R {
    const { definition } = kind;
    const id = draft.nextId("journal");
    const owned = definition.columnsOf(step.context, step.state);
    const patch = {
      ...owned,
      rev: row.rev + 1,
      mstate: step.state,
      mctx: definition.rememberedOf(step.context),
      mver: definition.version,
      msince: from === step.state ? row.msince : draft.now,
      mlast: id,
      faultAt: null,
      faultCount: 0,
      faultMessage: "",
      faultCause: null,
    } as unknown as Partial<R>;
    const after = draft.update(definition.entity, row.id, patch);
    const { effects, raised } = carryOut(draft, this.#outbox, kind, after, from, step);
    if (from !== null && raised === 0) this.#raiseElse(draft, kind, row, after);
    const changed = from === null ? "" : changesOf(draft, kind, row, after, Object.keys(owned));
    writeEntry(draft, this.#counter, kind, { id, before: row, after, from, event, origin, effects, changed });
    this.#due(draft, kind, after);
    return after;
  }

  #raiseElse<R extends ActorRow, C>(draft: Draft, { definition }: ActorKind<R, C>, row: Readonly<R>, after: R): void {
    const raised = definition.raisedElse?.(after, draft.before(definition.entity, row.id) ?? row);
    if (raised) this.#outbox.raise(draft, raised);
  }

  /**
   * Keeps the `due` timer equal to what the row's columns say. A mark that usage set earlier stays: the deadline then
   * says the same.
   */
  #due<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, row: Readonly<R>): void {
    const { definition } = kind;
    definition.derive?.(draft, row);
    if (!definition.dueOf) return;
    const due = definition.dueOf(row, draft) ?? null;
    if (due === row.dueAt) return;
    draft.update(definition.entity, row.id, { dueAt: due } as unknown as Partial<R>);
    if (due === null) draft.delete(TimerRows, timerId(definition.kind, row.id, DUE_TIMER));
    else armTimer(draft, definition.kind, row.id, DUE_TIMER, DUE_TIMER, due);
  }
}

/** A row's stored state as this version of its chart reads it. Throws `ChartTooNew`. */
export function upcast<R extends ActorRow, C>({ definition }: ActorKind<R, C>, row: Readonly<R>): StoredState {
  if (row.mver > definition.version) throw new ChartTooNew(definition.kind, row.id, row.mver, definition.version);
  let stored: StoredState = { state: row.mstate, context: row.mctx };
  for (let version = row.mver; version < definition.version; version++)
    stored = definition.upcasters?.[version]?.(stored) ?? stored;
  return stored;
}
