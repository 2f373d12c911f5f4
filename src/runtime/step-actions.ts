// What a transition asks for besides its row: timers, effects and events, as changes to the draft of its commit.
import type { Draft } from "../db/index.ts";
import { EffectRows, TimerRows, type ActorRow, type EffectRow } from "./actor.entity.ts";
import type { ChartAction, ChartStep } from "./chart.ts";
import type { ActorKind, Errand } from "./definition.ts";
import { errandId, ErrandRows } from "./errand.entity.ts";
import { EFFECT, EFFECT_ENDED, RESIDENTS, TIMER } from "./facts.ts";
import type { Outbox } from "./outbox.ts";

/** How long a timer or effect of an actor in quarantine waits before it is looked at again. */
export const PARKED_MS = 60_000;

/** The timer of `dueOf`. */
export const DUE_TIMER = "due";

export const timerId = (kind: string, id: number, name: string) => `${kind}:${id}:${name}`;
export const effectId = (kind: string, id: number, invokeId: string) => `${kind}:${id}:${invokeId}`;
const runOf = (kind: string, id: number, rev: number, index: number) => `${kind}:${id}:${rev}:${index}`;
/** The actor's revision that began a run. */
export const revOfRun = (run: string): number => Number(run.split(":").at(-2));

/** What a step asked for: `src` of the effects that it started, and how many events it raised. */
interface CarriedOut {
  readonly effects: readonly string[];
  readonly raised: number;
}

const NOTHING: CarriedOut = { effects: [], raised: 0 };

/** Timers, effects and events of a step, for a row that is written already. `from`: null at its creation. */
export function carryOut<R extends ActorRow, C>(
  draft: Draft,
  outbox: Outbox,
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
  for (const invokeId of left) endEffect(draft, kind, row.id, invokeId, row.rev);
  // What is entered again ends where it runs, which may be another process.
  const again =
    from === null ? [] : chart.invokesIn(from).filter((invokeId) => fresh.has(invokeId) && !left.includes(invokeId));
  for (const invokeId of again) tellEnd(draft, definition.kind, row.id, invokeId, row.rev);
  let raised = 0;
  for (const [index, action] of step.actions.entries()) raised += act(draft, outbox, kind, row, action, index, started);
  const residents = started.filter((each) => definition.effects[each.src]?.mode === "resident");
  if (residents.length > 0 || left.length > 0) {
    const change = { kind: definition.kind, id: row.id, rev: row.rev, start: residents, active: step.invokes };
    draft.publish(RESIDENTS, change);
  }
  return { effects: [...fresh].map((invokeId) => chart.invokes.get(invokeId)?.src ?? invokeId), raised };
}

/** Returns how many events it raised. */
function act<R extends ActorRow, C>(
  draft: Draft,
  outbox: Outbox,
  kind: ActorKind<R, C>,
  row: R,
  action: ChartAction,
  index: number,
  started: { invokeId: string; src: string }[],
): number {
  const { definition } = kind;
  switch (action.type) {
    case "arm":
      armTimer(draft, definition.kind, row.id, action.name, action.event, draft.now + action.delay);
      return 0;
    case "cancel":
      draft.delete(TimerRows, timerId(definition.kind, row.id, action.name));
      return 0;
    case "start": {
      started.push({ invokeId: action.invokeId, src: action.src });
      const handler = definition.effects[action.src];
      if (handler?.mode === "resident") return 0;
      const asked = {
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
        deadlineAt: null,
        home: null,
      };
      const effect = handler?.mode === "errand" ? errandOf(draft, asked, handler) : asked;
      draft.upsert(EffectRows, effect);
      draft.publish(EFFECT, effect);
      return 0;
    }
    case "emit": {
      definition.follow?.(draft, action.event, row);
      const heard = definition.raisedBy?.(action.event, row, draft.before(definition.entity, row.id));
      const raised = heard === undefined ? [] : "event" in heard ? [heard] : heard;
      for (const event of raised) outbox.raise(draft, event);
      return raised.length;
    }
  }
}

/** The row of an errand: with its deadline, where it must run, and behind an earlier run that goes on. */
function errandOf(draft: Draft, asked: EffectRow, { deadlineMs, secrets }: Errand): EffectRow {
  const deadlineAt = draft.now + deadlineMs;
  const home = secrets ? (draft.find(ErrandRows, errandId(asked.kind, asked.actorId))?.home ?? null) : null;
  const errand = { ...asked, deadlineAt, home };
  const earlier = draft.find(EffectRows, asked.id);
  if (earlier === undefined || !goesOn(earlier)) return errand;
  return { ...errand, owner: earlier.owner, nextAt: Math.min(earlier.nextAt, deadlineAt) };
}

/** Whether work of an errand's row may go on somewhere: until its process says otherwise, or its lease runs out. */
function goesOn({ state, owner }: Readonly<EffectRow>): boolean {
  return state !== "pending" || owner !== "";
}

/**
 * An effect whose state was left: its row goes, and the process that runs it stops it. The row of an errand that goes
 * on stays until its work has ended, so that no other one begins beside it.
 */
export function endEffect<R extends ActorRow, C>(
  draft: Draft,
  { definition, chart }: ActorKind<R, C>,
  id: number,
  invokeId: string,
  rev: number,
): void {
  const row = effectId(definition.kind, id, invokeId);
  const handler = definition.effects[chart.invokes.get(invokeId)?.src ?? ""];
  if (handler?.mode === "errand") endErrand(draft, row);
  else draft.delete(EffectRows, row);
  tellEnd(draft, definition.kind, id, invokeId, rev);
}

/** Takes an errand's row away, or marks it `ended` where its work may go on. */
export function endErrand(draft: Draft, id: string): void {
  const row = draft.find(EffectRows, id);
  if (!row || row.state === "ended") return;
  if (goesOn(row)) draft.update(EffectRows, id, { state: "ended", home: null });
  else draft.delete(EffectRows, id);
}

function tellEnd(draft: Draft, kind: string, id: number, invokeId: string, rev: number): void {
  draft.publish(EFFECT_ENDED, { id: effectId(kind, id, invokeId), rev });
}

/** `dueAt` in Unix milliseconds. A timer of that name takes the new time. */
export function armTimer(draft: Draft, kind: string, id: number, name: string, event: string, dueAt: number): void {
  const timer = { id: timerId(kind, id, name), kind, actorId: id, name, event, dueAt };
  draft.upsert(TimerRows, timer);
  draft.publish(TIMER, timer);
}
