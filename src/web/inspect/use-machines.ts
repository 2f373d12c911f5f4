// The charts that run, with their graphs.
import { useMemo } from "react";
import { useApi, type Listing } from "../api/queries.ts";
import { graphOf, type ChartGraph } from "../chart/graph.ts";
import { effectsOf, readEvent, type EventSign } from "./event-sign.ts";
import type { Machine } from "./wire.ts";

export interface Chart {
  readonly machine: Machine;
  readonly graph: ChartGraph;
  readonly sign: (event: string) => EventSign;
}

const known = new Map<string, Chart>();

/** A chart's graph, made once for each digest. */
export function chartOf(machine: Machine): Chart {
  const key = `${machine.kind} ${machine.version} ${machine.digest}`;
  let chart = known.get(key);
  if (!chart) {
    const graph = graphOf(machine.definition, machine.delays);
    const effects = effectsOf(graph);
    const signs = new Map<string, EventSign>();
    const sign = (event: string) => {
      let read = signs.get(event);
      if (!read) signs.set(event, (read = readEvent(event, machine.kind, effects)));
      return read;
    };
    known.set(key, (chart = { machine, graph, sign }));
  }
  return chart;
}

/** All charts, by kind as the panel lists them. */
export function useMachines() {
  const answer = useApi<Listing<Machine>>("/machines", { limit: 100 });
  const charts = useMemo(() => answer.data?.items.map(chartOf), [answer.data]);
  return { answer, charts };
}

/** States that an actor can be seen in, in the order of the chart. */
export function statesOf({ graph }: Chart): string[] {
  return [...graph.boxes.values()].filter(({ kind, passing }) => (kind === "atomic" || kind === "final") && !passing).map(({ id }) => id);
}

/** The sentence of a state: its own, else that of the nearest state around it. */
export function meaningIn(graph: ChartGraph, state: string): string {
  for (let path = state; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(".")))) {
    const meaning = graph.boxes.get(path)?.meaning;
    if (meaning) return meaning;
  }
  return "";
}
