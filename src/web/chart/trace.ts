// From a row of the journal to what of the drawing it went through: an event leaves a state or one of its outer states,
// and may lead on through states that are left in the same step.
import { anyOf, type ChartGraph, type Wire } from "./graph.ts";

export interface Step {
  readonly event: string;
  /** Null: the actor was created. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * Wires in the order in which they were passed, and the row of a box for what changes no state. Both empty for a step
 * that the chart does not have.
 */
export interface Trace {
  readonly wires: readonly string[];
  readonly row: string | undefined;
}

const NOTHING: Trace = { wires: [], row: undefined };

export function traceOf(graph: ChartGraph, { event, from, to }: Step): Trace {
  if (from === null)
    return { ...NOTHING, wires: onwards(graph, graph.starts.find(({ parent }) => parent === "")?.to ?? "", to) ?? [] };
  // The innermost state that has the event decides, as in the chart itself.
  for (const state of outwards(from)) {
    const wires = leaving(graph, state).filter((wire) => wire.triggers.some((trigger) => trigger.event === event));
    for (const wire of wires) {
      const rest = onwards(graph, wire.to, to);
      if (rest) return { wires: [wire.id, ...rest], row: rowOf(graph, state, event, wire.id) };
    }
    const self = from === to ? rowOf(graph, state, event, undefined) : undefined;
    if (self !== undefined) return { wires: [], row: self };
  }
  return NOTHING;
}

/** The wires that an event can take from a state, by the chart alone: guards are not known here. */
export function takeableFrom(graph: ChartGraph, state: string, events?: ReadonlySet<string>): Set<string> {
  const wires = outwards(state).flatMap((each) => leaving(graph, each));
  return new Set(
    wires
      .filter(({ triggers }) => !events || triggers.some(({ event }) => isOwn(event) || events.has(event)))
      .map(({ id }) => id),
  );
}

/** Deadlines, effects that settle: the chart's own, never sent by anyone. */
function isOwn(event: string): boolean {
  return event === "" || event.startsWith("xstate.");
}

/** A state and the states around it, innermost first, with the chart itself (empty) last. */
export function outwards(state: string): string[] {
  if (state === "") return [""];
  return [state, ...outwards(state.slice(0, Math.max(0, state.lastIndexOf("."))))];
}

function leaving(graph: ChartGraph, state: string): Wire[] {
  const any = anyOf(state);
  return [...graph.wires.values()].filter(({ from }) => from === state || from === any);
}

/**
 * How an actor that has come to `at` gets to rest in `to`, the shortest way; undefined when it cannot in the same step.
 */
function onwards(graph: ChartGraph, at: string, to: string): string[] | undefined {
  let reached: { readonly state: string; readonly wires: readonly string[] }[] = [
    { state: restOf(graph, at), wires: [] },
  ];
  const seen = new Set<string>();
  while (reached.length > 0) {
    const there = reached.find(({ state }) => state === to);
    if (there) return [...there.wires];
    for (const { state } of reached) seen.add(state);
    const next = reached.flatMap(({ state, wires }) =>
      outwards(state)
        .flatMap((each) => leaving(graph, each))
        .filter(({ triggers }) => triggers.some(({ kind }) => kind === "always"))
        .map((wire) => ({ state: restOf(graph, wire.to), wires: [...wires, wire.id] })),
    );
    reached = next.filter(({ state }) => !seen.has(state));
  }
  return undefined;
}

/** Entering a state means entering its first one, down to one that has none inside. */
function restOf(graph: ChartGraph, state: string): string {
  const start = graph.starts.find(({ parent }) => parent === state);
  return start && state !== "" ? restOf(graph, start.to) : state;
}

function rowOf(graph: ChartGraph, state: string, event: string, wire: string | undefined): string | undefined {
  return graph.boxes.get(state)?.rows.find((row) => row.trigger?.event === event && row.wire === wire)?.id;
}
