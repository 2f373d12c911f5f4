// What a chart would do with an event, without doing it.
import { NeedLocks, type Draft } from "../../db/index.ts";
import { FAULT_LIMIT, upcast, type ActorKind, type ActorRow, type ChartAction } from "../../runtime/index.ts";

export interface Preview {
  readonly from: string;
  readonly to: string;
  readonly actions: { readonly type: string; readonly name: string }[];
  /** The event would be taken. */
  readonly taken: boolean;
  /** Why not; empty when it would. */
  readonly refused: string;
}

/** Steps a copy of the actor. A chart that throws is an answer too. */
export function preview(draft: Draft, kind: ActorKind, row: Readonly<ActorRow>, event: { readonly type: string }): Preview {
  const { definition, chart } = kind;
  const { state, context: remembered } = upcast(kind, row);
  const stays = (refused: string): Preview => ({ from: state, to: state, actions: [], taken: false, refused });
  if (row.faultCount >= FAULT_LIMIT) return stays(`the actor is in quarantine: ${row.faultMessage}`);
  try {
    const context = definition.contextOf(row, remembered, draft);
    const step = chart.step({ state, context }, { at: draft.now, ...event });
    if (!step.handled) return stays(reasonOf(kind, state, event.type));
    return { from: state, to: step.state, actions: step.actions.map(named), taken: true, refused: "" };
  } catch (error) {
    // Rows that the context is made of are locked first, and the preview made again.
    if (error instanceof NeedLocks) throw error;
    return stays(`the chart fails: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function reasonOf({ chart }: ActorKind, state: string, type: string): string {
  const guards = chart.guardsOf(state, type);
  if (guards === undefined) return `the state ${state} does not take ${type}`;
  return guards.length === 0 ? `${type} changes nothing in the state ${state}` : `not now: ${guards.join(", ")}`;
}

/** What an action asks for, by name; inputs and payloads stay inside. */
function named(action: ChartAction): { type: string; name: string } {
  if (action.type === "start") return { type: action.type, name: action.src };
  return { type: action.type, name: action.type === "emit" ? action.event.type : action.name };
}
