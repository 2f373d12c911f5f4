// The chart of one actor: lit where it is, the last way in the accent, the ways it could take in ink, and where a tried
// event would lead.
import { useEffect, useMemo, useRef } from "react";
import type { DrawingHandle } from "../../chart/ChartDrawing.tsx";
import { takeableFrom, traceOf } from "../../chart/trace.ts";
import { useFormat } from "../../format/use-format.ts";
import { useNow } from "../../parts/now.ts";
import { useWords } from "../../words/words.ts";
import { ChartView } from "./ChartView.tsx";
import type { Moment } from "./moment.ts";
import type { Chart } from "../use-machines.ts";
import type { Trial } from "../facts/use-trial.ts";
import type { ActorDetail } from "../wire.ts";

interface LiveChartProps {
  readonly chart: Chart;
  readonly moment: Moment;
  /** Undefined while one looks back: what it could take then is not known. */
  readonly actor: ActorDetail | undefined;
  readonly trial: Trial | undefined;
  readonly phone: boolean;
  readonly name: string;
}

export function LiveChart({ chart, moment, actor, trial, phone, name }: LiveChartProps) {
  const { graph } = chart;
  const words = useWords("inspect").actor;
  const drawing = useRef<DrawingHandle>(null);
  const { step, state, seq } = moment;
  const trace = useMemo(() => {
    const { event, from, to } = step ?? {};
    return event === undefined || from === undefined || to === undefined
      ? undefined
      : traceOf(graph, { event, from, to });
  }, [graph, step]);
  const next = actor?.next.join(" ");
  const takeable = useMemo(
    () => (next === undefined ? undefined : takeableFrom(graph, state, new Set(next.split(" ")))),
    [graph, state, next],
  );
  const ghost = useMemo(() => {
    const answer = trial?.answer;
    if (!trial || !answer?.taken) return undefined;
    return { state: answer.to, wires: traceOf(graph, { event: trial.event, from: answer.from, to: answer.to }).wires };
  }, [graph, trial]);

  // A token shows the way that was just taken; the first one that the page receives is old, so it shows none.
  const seen = useRef<number | undefined>(undefined);
  const wires = trace?.wires;
  useEffect(() => {
    if (wires && actor && seen.current !== undefined && seq > seen.current) drawing.current?.run(wires);
    if (wires) seen.current = seq;
  }, [seq, wires, actor]);

  return (
    <ChartView
      chart={chart}
      phone={phone}
      drawing={drawing}
      label={words.announced(name, state)}
      lit={state}
      last={trace?.wires}
      lastRow={trace?.row}
      takeable={takeable}
      ghost={ghost}
      due={useDue(chart, actor)}
    />
  );
}

/** The time left of each deadline, in the row of the chart that names it. */
function useDue(chart: Chart, actor: ActorDetail | undefined): ReadonlyMap<string, string> | undefined {
  const format = useFormat();
  const now = useNow(actor && actor.timers.length > 0 ? 1 : 3600);
  return useMemo(() => {
    if (!actor || actor.timers.length === 0) return undefined;
    return new Map(
      actor.timers.map(({ event, dueAt }) => [
        event,
        `${chart.sign(event).name} ${format.clock(Math.max(0, dueAt - now))}`,
      ]),
    );
  }, [actor, chart, format, now]);
}
