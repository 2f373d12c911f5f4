// A transition as changes to a draft: the row, its timers, its effects, what it raises, and the journal entry, all in
// the one commit.
import type { AnyEventObject } from "xstate";
import type { Draft } from "../db/index.ts";
import type { Origin } from "../lib/origin.ts";
import { DELETED, EffectRows, FAULT_LIMIT, JournalRows, TimerRows, type ActorRow } from "./actor.entity.ts";
import { changesBetween, type Fields } from "./changes.ts";
import type { ChartAction, ChartStep } from "./chart.ts";
import { MACHINE_COLUMNS, type ActorKind, type StoredState } from "./definition.ts";
import { ActorMissing, ActorQuarantined, ChartTooNew } from "./errors.ts";
import { EFFECT, EFFECT_ENDED, RESIDENTS, TIMER, TRANSITION, type Transition } from "./facts.ts";
import type { Outbox } from "./outbox.ts";
import type { StateCounter } from "./state-counts.ts";

/** How long a timer or effect of an actor in quarantine waits before it is looked at again. */
export const PARKED_MS = 60_000;
/** The timer of `dueOf`. */
export const DUE_TIMER = "due";

export const timerId = (kind: string, id: number, name: string) => `${kind}:${id}:${name}`;
export const effectId = (kind: string, id: number, invokeId: string) => `${kind}:${id}:${invokeId}`;
const runOf = (kind: string, id: number, rev: number, index: number) => `${kind}:${id}:${rev}:${index}`;
/** The actor's revision that began a run. */
export const revOfRun = (run: string): number => Number(run.split(":").at(-2));

export interface StepResult {
  readonly handled: boolean;
  readonly state: string;
}

/** What a step asked for: `src` of the effects that it started, and how many events it raised. */
interface CarriedOut {
  readonly effects: readonly string[];
  readonly raised: number;
}

const NOTHING: CarriedOut = { effects: [], raised: 0 };

/** What the journal says of a transition. */
interface Entry<R> {
  readonly id: number;
  readonly before: Readonly<R>;
  readonly after: Readonly<R>;
  readonly from: string | null;
  readonly event: string;
  readonly origin: Origin;
  /** `src` of the effects that it started. */
  readonly effects: readonly string[];
  readonly changed: string;
}

export class Stepper {
  readonly #outbox: Outbox;
  readonly #counter: Pick<StateCounter, "count">;

  constructor(outbox: Outbox, counter: Pick<StateCounter, "count">) {
    this.#outbox = outbox;
    this.#counter = counter;
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
    const step = chart.step({ state: stored.state, context }, event);
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
    this.#journal(draft, kind, {
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
    for (const invoke of chart.invokes.keys()) this.#endEffect(draft, definition.kind, id, invoke, row.rev + 1);
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
    this.#journal(draft, kind, {
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
    const { effects, raised } = this.#carryOut(draft, kind, after, from, step);
    if (from !== null && raised === 0) this.#raiseElse(draft, kind, row, after);
    const changed = from === null ? "" : this.#changes(draft, kind, row, after, Object.keys(owned));
    this.#journal(draft, kind, { id, before: row, after, from, event, origin, effects, changed });
    this.#due(draft, kind, after);
    return after;
  }

  #raiseElse<R extends ActorRow, C>(draft: Draft, { definition }: ActorKind<R, C>, row: Readonly<R>, after: R): void {
    const raised = definition.raisedElse?.(after, draft.before(definition.entity, row.id) ?? row);
    if (raised) this.#outbox.raise(draft, raised);
  }

  /**
   * What the command that the step is part of changed, and what the step did. A command's second step tells of itself
   * alone.
   */
  #changes<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    row: Readonly<R>,
    after: Readonly<R>,
    owned: readonly string[],
  ): string {
    const stored = draft.before(kind.definition.entity, row.id);
    const before = stored?.rev === row.rev ? stored : row;
    const fields = (of: Readonly<R>) => journalledFields(kind, of, owned);
    return changesBetween(fields(before), fields(after), kind.definition.secrets);
  }

  /** Timers, effects and events of a step. */
  #carryOut<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    row: R,
    from: string | null,
    step: ChartStep<C>,
  ): CarriedOut {
    const { definition, chart } = kind;
    // Most transitions ask for nothing and leave nothing behind.
    if (step.actions.length === 0 && (from === null || chart.invokesIn(from).length === 0)) return NOTHING;
    const started: { invokeId: string; src: string }[] = [];
    const fresh = new Set(step.actions.flatMap((action) => (action.type === "start" ? [action.invokeId] : [])));
    const left = from === null ? [] : chart.invokesIn(from).filter((invokeId) => !step.invokes.includes(invokeId));
    for (const invokeId of left) this.#endEffect(draft, definition.kind, row.id, invokeId, row.rev);
    // What is entered again ends where it runs, which may be another process.
    const again =
      from === null ? [] : chart.invokesIn(from).filter((invokeId) => fresh.has(invokeId) && !left.includes(invokeId));
    for (const invokeId of again) this.#tellEnd(draft, definition.kind, row.id, invokeId, row.rev);
    let raised = 0;
    for (const [index, action] of step.actions.entries()) raised += this.#act(draft, kind, row, action, index, started);
    const residents = started.filter((each) => definition.effects[each.src]?.mode === "resident");
    if (residents.length > 0 || left.length > 0) {
      const change = { kind: definition.kind, id: row.id, rev: row.rev, start: residents, active: step.invokes };
      draft.publish(RESIDENTS, change);
    }
    return { effects: [...fresh].map((invokeId) => chart.invokes.get(invokeId)?.src ?? invokeId), raised };
  }

  /** Returns how many events it raised. */
  #act<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    row: R,
    action: ChartAction,
    index: number,
    started: { invokeId: string; src: string }[],
  ): number {
    const { definition } = kind;
    switch (action.type) {
      case "arm":
        this.#arm(draft, definition.kind, row.id, action.name, action.event, draft.now + action.delay);
        return 0;
      case "cancel":
        draft.delete(TimerRows, timerId(definition.kind, row.id, action.name));
        return 0;
      case "start": {
        started.push({ invokeId: action.invokeId, src: action.src });
        if (definition.effects[action.src]?.mode === "resident") return 0;
        const effect = {
          id: effectId(definition.kind, row.id, action.invokeId),
          run: runOf(definition.kind, row.id, row.rev, index),
          kind: definition.kind,
          actorId: row.id,
          invokeId: action.invokeId,
          src: action.src,
          input: action.input ?? null,
          state: "pending",
          attempt: 0,
          nextAt: draft.now,
          owner: "",
          startedAt: null,
          lastError: "",
          lastCause: null,
        };
        draft.upsert(EffectRows, effect);
        draft.publish(EFFECT, effect);
        return 0;
      }
      case "emit": {
        definition.follow?.(draft, action.event, row);
        const heard = definition.raisedBy?.(action.event, row, draft.before(definition.entity, row.id));
        const raised = heard === undefined ? [] : "event" in heard ? [heard] : heard;
        for (const event of raised) this.#outbox.raise(draft, event);
        return raised.length;
      }
    }
  }

  #endEffect(draft: Draft, kind: string, id: number, invokeId: string, rev: number): void {
    draft.delete(EffectRows, effectId(kind, id, invokeId));
    this.#tellEnd(draft, kind, id, invokeId, rev);
  }

  #tellEnd(draft: Draft, kind: string, id: number, invokeId: string, rev: number): void {
    draft.publish(EFFECT_ENDED, { id: effectId(kind, id, invokeId), rev });
  }

  #arm(draft: Draft, kind: string, id: number, name: string, event: string, dueAt: number): void {
    const timer = { id: timerId(kind, id, name), kind, actorId: id, name, event, dueAt };
    draft.upsert(TimerRows, timer);
    draft.publish(TIMER, timer);
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
    else this.#arm(draft, definition.kind, row.id, DUE_TIMER, DUE_TIMER, due);
  }

  #journal<R extends ActorRow, C>(draft: Draft, { definition }: ActorKind<R, C>, entry: Entry<R>): void {
    const { id, before, after, from, event, origin } = entry;
    const gone = after.mstate === DELETED;
    this.#counter.count(
      draft,
      definition.kind,
      from === null ? undefined : before.mstate,
      gone ? undefined : after.mstate,
    );
    draft.insert(JournalRows, {
      id,
      kind: definition.kind,
      actorId: after.id,
      seq: after.rev,
      at: draft.now,
      event,
      fromState: from,
      toState: after.mstate,
      via: origin.via,
      actor: origin.actor,
      adminId: origin.adminId,
      effects: entry.effects.join(" "),
      took: from === null ? 0 : Math.max(0, draft.now - before.msince),
      changed: entry.changed,
      previous: before.mlast,
    });
    const transition: Transition = {
      kind: definition.kind,
      id: after.id,
      name: definition.nameOf(after),
      seq: after.rev,
      at: draft.now,
      event,
      from,
      to: after.mstate,
      ...(from !== null && from !== before.mstate ? { stored: before.mstate } : {}),
      origin,
    };
    draft.publish(TRANSITION, transition);
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

const NOT_JOURNALLED: ReadonlySet<string> = new Set([...MACHINE_COLUMNS, "updatedAt"]);

/**
 * The fields in the journal: the columns that the chart owns, those that belong to its context, and what it remembers.
 */
function journalledFields<R extends ActorRow, C>(
  { definition }: ActorKind<R, C>,
  row: Readonly<R>,
  owned: readonly string[],
): Fields {
  const columns = row as object as Fields;
  const fields: Record<string, unknown> = {};
  for (const field of owned) if (!NOT_JOURNALLED.has(field)) fields[field] = columns[field];
  return Object.assign(fields, definition.shown?.(row), row.mctx);
}
