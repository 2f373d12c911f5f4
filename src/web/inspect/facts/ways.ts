// Where an event can lead by the chart alone. Guards are code of the panel: which way is taken, a dry run tells.
import { anyOf, type ChartGraph } from "../../chart/graph.ts";
import { outwards } from "../../chart/trace.ts";
import type { Trigger } from "../../chart/trigger.ts";

/**
 * States that an actor in `state` may rest in after the event, without doubles; its own where it may stay. First the
 * one that is left when no guard holds: the branch without a condition, else staying. Empty: the chart has no such
 * event there.
 */
export function placesOf(graph: ChartGraph, state: string, event: string): string[] {
  const guarded: string[] = [];
  for (const outer of outwards(state)) {
    const ways = waysOf(graph, outer, state, event);
    const open = ways.filter(({ always }) => always).flatMap(({ places }) => places);
    guarded.push(...ways.filter(({ always }) => !always).flatMap(({ places }) => places));
    // An outer state is asked only where no branch of the inner one is without a condition.
    if (open.length > 0) return [...new Set([...open, ...guarded])];
  }
  return guarded.length === 0 ? [] : [...new Set([state, ...guarded])];
}

interface Way {
  readonly places: readonly string[];
  /** Taken whenever the branches before it are not. */
  readonly always: boolean;
}

function waysOf(graph: ChartGraph, outer: string, state: string, event: string): Way[] {
  const wires = [...graph.wires.values()].filter(({ from }) => from === outer || from === anyOf(outer));
  const leaving = wires.flatMap(({ to, triggers }) =>
    triggers
      .filter((trigger) => trigger.event === event)
      .map((trigger) => ({ places: restsOf(graph, to, new Set()), always: isOpen(trigger) })),
  );
  const staying = (graph.boxes.get(outer)?.rows ?? []).flatMap(({ trigger, wire }) =>
    trigger?.event === event && wire === undefined ? [{ places: [state], always: isOpen(trigger) }] : [],
  );
  return [...leaving, ...staying];
}

function isOpen({ guard }: Trigger): boolean {
  return guard === undefined || guard === "else";
}

/**
 * Where an actor that comes to `at` may rest, what no guard prevents first: states that are left in the same step lead
 * on; `seen` ends circles.
 */
function restsOf(graph: ChartGraph, at: string, seen: Set<string>): string[] {
  if (seen.has(at)) return [];
  seen.add(at);
  const start = graph.starts.find(({ parent }) => parent === at);
  if (start) return restsOf(graph, start.to, seen);
  const onwards = outwards(at)
    .flatMap((outer) => [...graph.wires.values()].filter(({ from }) => from === outer))
    .flatMap(({ to, triggers }) =>
      triggers.filter(({ kind }) => kind === "always").map((trigger) => ({ to, open: isOpen(trigger) })),
    )
    .toSorted((a, b) => Number(b.open) - Number(a.open));
  const rests = onwards.flatMap(({ to }) => restsOf(graph, to, seen));
  return graph.boxes.get(at)?.passing ? rests : [at, ...rests];
}

/** Deadlines of a state and results of what it runs, the chart's own: no person sends them, a dry run may. */
export function ownEventsOf(graph: ChartGraph, state: string): string[] {
  const events = outwards(state).flatMap((outer) =>
    [...graph.wires.values()]
      .filter(({ from }) => from === outer || from === anyOf(outer))
      .flatMap(({ triggers }) =>
        triggers
          .filter(({ kind }) => kind === "timer" || kind === "done" || kind === "failed")
          .map(({ event }) => event),
      ),
  );
  return [...new Set(events)];
}
