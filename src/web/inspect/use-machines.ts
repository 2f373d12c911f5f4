// The charts that run, with their graphs; the sentences of their states in the language in use.
import { useMemo } from "react";
import { useApi, type Listing } from "../api/queries.ts";
import { graphOf, type ChartGraph } from "../chart/graph.ts";
import type { ActorTranslator } from "../words/translate.ts";
import { useActorWords } from "../words/use-actor-words.ts";
import { effectsOf, readEvent, type EventSign } from "./event/event-sign.ts";
import type { Machine } from "./wire.ts";

export interface Chart {
  readonly machine: Machine;
  readonly graph: ChartGraph;
  readonly sign: (event: string) => EventSign;
}

const known = new WeakMap<ActorTranslator, Map<string, Chart>>();

/** A chart's graph, made once for each digest and language. */
export function chartOf(machine: Machine, translate: ActorTranslator): Chart {
  const charts = known.get(translate) ?? new Map<string, Chart>();
  known.set(translate, charts);
  const key = `${machine.kind} ${machine.version} ${machine.digest}`;
  let chart = charts.get(key);
  if (!chart) {
    const graph = inWords(graphOf(machine.definition, machine.delays), machine.kind, translate);
    const effects = effectsOf(graph);
    const signs = new Map<string, EventSign>();
    const sign = (event: string) => {
      let read = signs.get(event);
      if (!read) {
        const bare = readEvent(event, machine.kind, effects);
        signs.set(event, (read = { ...bare, said: translate.event(machine.kind, bare) }));
      }
      return read;
    };
    charts.set(key, (chart = { machine, graph, sign }));
  }
  return chart;
}

function inWords(graph: ChartGraph, kind: string, translate: ActorTranslator): ChartGraph {
  const boxes = [...graph.boxes].map(
    ([id, box]) => [id, { ...box, meaning: translate.meaning(kind, id, box.meaning) }] as const,
  );
  return { ...graph, boxes: new Map(boxes) };
}

/** All charts, by kind as the panel lists them. */
export function useMachines() {
  const answer = useApi<Listing<Machine>>("/machines", { limit: 100 });
  const translate = useActorWords();
  const charts = useMemo(
    () => answer.data?.items.map((machine) => chartOf(machine, translate)),
    [answer.data, translate],
  );
  return { answer, charts };
}

/** States that an actor can be seen in, in the order of the chart. */
export function statesOf({ graph }: Chart): string[] {
  return [...graph.boxes.values()]
    .filter(({ kind, passing }) => (kind === "atomic" || kind === "final") && !passing)
    .map(({ id }) => id);
}

/** The sentence of a state: its own, else that of the nearest state around it. */
export function meaningIn(graph: ChartGraph, state: string): string {
  for (let path = state; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(".")))) {
    const meaning = graph.boxes.get(path)?.meaning;
    if (meaning) return meaning;
  }
  return "";
}
