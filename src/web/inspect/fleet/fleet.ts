// Numbers of the fleet page: actors by state, transitions per minute by wire, what stands in failure.
import type { StateCounts, WireFlow } from "../../api/frames.ts";
import type { ChartGraph } from "../../chart/graph.ts";
import { traceOf } from "../../chart/trace.ts";
import { stateTone } from "../../parts/tone.ts";

const traces = new WeakMap<ChartGraph, Map<string, readonly string[]>>();

/** The wires that a transition passes, found once for each kind of transition. */
function wiresOf(graph: ChartGraph, { event, from, to }: WireFlow): readonly string[] {
  let known = traces.get(graph);
  if (!known) traces.set(graph, (known = new Map()));
  const key = `${from ?? ""} ${to} ${event}`;
  let wires = known.get(key);
  if (!wires) known.set(key, (wires = traceOf(graph, { event, from, to }).wires));
  return wires;
}

/** Transitions per minute by wire of the drawing. A transition through states that are left at once passes several. */
export function flowByWire(graph: ChartGraph, flow: readonly WireFlow[]): Map<string, number> {
  const wires = new Map<string, number>();
  for (const each of flow)
    for (const wire of wiresOf(graph, each)) wires.set(wire, (wires.get(wire) ?? 0) + each.perMinute);
  return wires;
}

export function totalOf(counts: StateCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function perMinuteOf(flow: readonly WireFlow[]): number {
  return flow.reduce((sum, { perMinute }) => sum + perMinute, 0);
}

export interface FailedStates {
  /** As the list's filter takes them. */
  readonly states: readonly string[];
  readonly total: number;
}

/**
 * States that need a person, with somebody in them. Those of an outer state that means failure as a whole are asked for
 * as one (`error.*`). An account that ended is in order: its state is told by its own word, not by a failure of
 * anything.
 */
export function failedStates(kind: string, counts: StateCounts): FailedStates {
  const failed = Object.entries(counts).filter(
    ([state, count]) => count > 0 && stateTone(kind, state) === "failed" && !RESTS.has(`${kind} ${state}`),
  );
  const names = failed.map(([state]) => {
    const outer = state.split(".")[0] ?? state;
    return outer !== state && stateTone(kind, outer) === "failed" ? `${outer}.*` : state;
  });
  return { states: [...new Set(names)], total: failed.reduce((sum, [, count]) => sum + count, 0) };
}

/** In red where they are listed, and still nothing that an operator would mend. */
const RESTS: ReadonlySet<string> = new Set(["user disabled.expiry", "user disabled.resaleExpiry"]);
