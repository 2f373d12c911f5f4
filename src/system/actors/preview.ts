// What a chart would do with an event, without doing it: on rows that are read, in a draft that goes nowhere.
import { lock, NeedLocks, tryOut, type Draft, type Reader } from "../../db/index.ts";
import {
  chartProblem,
  FAULT_LIMIT,
  type Problem,
  problem,
  type ToldProblem,
  upcast,
  type ActorKind,
  type ActorRow,
  type ChartAction,
} from "../../runtime/index.ts";

export interface Preview {
  readonly from: string;
  readonly to: string;
  readonly actions: { readonly type: string; readonly name: string }[];
  /** The event would be taken. */
  readonly taken: boolean;
  /** Why not; empty when it would. */
  readonly refused: string;
  /** The same as a code with values; null when it would. */
  readonly cause: Problem | null;
}

type TriedEvent = { readonly type: string };

/**
 * Steps a copy of the actor. A chart that throws is an answer too; undefined: there is no such actor. `now`: Unix
 * milliseconds.
 */
export function previewEvent(
  reads: Reader,
  now: number,
  kind: ActorKind,
  id: number,
  event: TriedEvent,
): Promise<Preview | undefined> {
  return onCopy(reads, now, kind, id, (draft, row) => preview(draft, kind, row, event));
}

/** What the chart sees of an actor now. */
export interface Outlook {
  /** Event types that it would take, without XState's own; none in quarantine. */
  readonly next: string[];
  readonly measured: Readonly<Record<string, number>>;
}

const BLIND: Outlook = { next: [], measured: {} };

/**
 * Sees nothing of an actor that is gone, whose row a newer panel wrote, or for which no context can be made: the rest
 * of its page must still say what is wrong.
 */
export async function outlook(reads: Reader, now: number, kind: ActorKind, id: number): Promise<Outlook> {
  const { definition, chart } = kind;
  const seen = await onCopy(reads, now, kind, id, (draft, row) => {
    if (row.mver > definition.version) return BLIND;
    const { state, context: remembered } = upcast(kind, row);
    const context = contextIn(draft, kind, row, remembered);
    if (context === undefined) return BLIND;
    const next = row.faultCount >= FAULT_LIMIT ? [] : chart.nextEvents(state, context, draft.now);
    return { next, measured: definition.measured?.(context) ?? {} };
  });
  return seen ?? BLIND;
}

function contextIn(
  draft: Draft,
  { definition }: ActorKind,
  row: Readonly<ActorRow>,
  remembered: Record<string, unknown>,
) {
  try {
    return definition.contextOf(row, remembered, draft);
  } catch (error) {
    // Rows that the context is made of are read first. Any other error is what a dry run answers.
    if (error instanceof NeedLocks) throw error;
    return undefined;
  }
}

function onCopy<T>(
  reads: Reader,
  now: number,
  kind: ActorKind,
  id: number,
  look: (draft: Draft, row: Readonly<ActorRow>) => T,
) {
  const { definition } = kind;
  return tryOut(reads, now, [lock(definition.entity, id), ...(definition.locks?.(id) ?? [])], (draft) => {
    const row = draft.find(definition.entity, id);
    return row && look(draft, row);
  });
}

function preview(draft: Draft, kind: ActorKind, row: Readonly<ActorRow>, event: TriedEvent): Preview {
  const { definition, chart } = kind;
  const stays = ({ message, cause }: ToldProblem): Preview => ({
    from: row.mstate,
    to: row.mstate,
    actions: [],
    taken: false,
    refused: message,
    cause,
  });
  if (row.faultCount >= FAULT_LIMIT) {
    const message = `the actor is in quarantine: ${row.faultMessage}`;
    return stays(problem(message, "quarantined", row.faultMessage));
  }
  try {
    const { state, context: remembered } = upcast(kind, row);
    const context = definition.contextOf(row, remembered, draft);
    const step = chart.step({ state, context }, { at: draft.now, ...event });
    if (!step.handled) return stays(reasonOf(kind, state, event.type));
    return { from: state, to: step.state, actions: step.actions.map(named), taken: true, refused: "", cause: null };
  } catch (error) {
    // Rows that the context is made of are read first, and the preview made again.
    if (error instanceof NeedLocks) throw error;
    const { message, cause } = chartProblem(error);
    return stays({ message: `the chart fails: ${message}`, cause });
  }
}

function reasonOf({ chart }: ActorKind, state: string, type: string): ToldProblem {
  const guards = chart.guardsOf(state, type);
  if (guards === undefined) return problem(`the state ${state} does not take ${type}`, "event_not_taken", type, state);
  if (guards.length === 0)
    return problem(`${type} changes nothing in the state ${state}`, "event_changes_nothing", type, state);
  return problem(`not now: ${guards.join(", ")}`, "guarded", ...guards);
}

/** What an action asks for, by name; inputs and payloads stay inside. */
function named(action: ChartAction): { type: string; name: string } {
  if (action.type === "start") return { type: action.type, name: action.src };
  return { type: action.type, name: action.type === "emit" ? action.event.type : action.name };
}
