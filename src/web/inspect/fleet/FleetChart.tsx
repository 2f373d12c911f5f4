// One chart of the fleet: its numbers in the head, its drawing as a map of where everybody is. Each number leads to
// those actors.
import { Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useFlow, useTransitions, type StateCounts } from "../../api/live.ts";
import { ChartDrawing, type DrawingHandle } from "../../chart/ChartDrawing.tsx";
import { ChartOutline } from "../../chart/ChartOutline.tsx";
import { traceOf } from "../../chart/trace.ts";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { hrefOf, listPath } from "../addresses.ts";
import { failedStates, flowByWire, perMinuteOf, totalOf } from "./fleet.ts";
import classes from "./fleet.module.css";
import { useKindName } from "../kinds.ts";
import { StateList } from "./StateList.tsx";
import { useGeometry } from "../actor/use-geometry.ts";
import type { Chart } from "../use-machines.ts";

/** Names as large as those of lists, where there is room. */
const LARGEST = 0.88;
/** More tokens at once are a blur. */
const MOST_TOKENS = 3;
const NO_COUNTS: StateCounts = {};

export function FleetChart({
  chart,
  counts = NO_COUNTS,
}: {
  readonly chart: Chart;
  readonly counts: StateCounts | undefined;
}) {
  const { kind } = chart.machine;
  const words = useWords("inspect");
  const format = useFormat();
  const kindName = useKindName();
  const narrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const flow = useFlow(kind);
  const perMinute = useMemo(() => flow && flowByWire(chart.graph, flow), [chart.graph, flow]);
  const total = totalOf(counts);
  const failed = failedStates(kind, counts);
  return (
    <section className={classes["chart"]} aria-label={kindName(kind)}>
      <header className={classes["chartHead"]}>
        <h2>
          <Link href={listPath(kind)}>{kindName(kind)}</Link>
        </h2>
        <Link href={listPath(kind)} className={classes["figure"] ?? ""}>
          {words.actors(total, format.number(total))}
        </Link>
        {failed.total > 0 && (
          <Link href={listPath(kind, { state: failed.states[0] ?? "" })} className={classes["failed"] ?? ""}>
            {words.inFailure(format.number(failed.total))}
          </Link>
        )}
        <span className={classes["quiet"]}>{words.perMinute(format.number(perMinuteOf(flow ?? [])))}</span>
        <span className={classes["version"]}>{words.chartVersion(format.number(chart.machine.version))}</span>
      </header>
      {narrow ? (
        <StateList kind={kind} chart={chart} counts={counts} />
      ) : (
        <HeatMap chart={chart} counts={counts} flow={perMinute} />
      )}
    </section>
  );
}

interface MapProps {
  readonly chart: Chart;
  readonly counts: StateCounts;
  readonly flow: ReadonlyMap<string, number> | undefined;
}

function HeatMap({ chart, counts, flow }: MapProps) {
  const { kind } = chart.machine;
  const { graph } = chart;
  const kindName = useKindName();
  const [, navigate] = useLocation();
  const geometry = useGeometry(chart);
  const drawing = useRef<DrawingHandle>(null);
  const shown = useMemo(() => new Map(Object.entries(counts)), [counts]);
  useTransitions({ kind }, (rows, gap) => {
    if (gap) return;
    for (const row of rows.slice(-MOST_TOKENS)) drawing.current?.run(traceOf(graph, row).wires);
  });
  const to = (state: string) =>
    listPath(kind, { state: graph.boxes.get(state)?.kind === "compound" ? `${state}.*` : state });
  const shared = {
    graph,
    counts: shown,
    flow,
    hrefOf: (state: string) => hrefOf(to(state)),
    onState: (state: string) => navigate(to(state)),
  };
  if (geometry === undefined) return <Skeleton height={260} radius="md" />;
  if (geometry === null) return <ChartOutline {...shared} instead={graph.drawable ? "outdated" : "undrawn"} />;
  return (
    <div
      className={classes["drawing"]}
      style={{ maxInlineSize: `${Math.round(geometry.geometries.heat.width * LARGEST)}px` }}
    >
      <ChartDrawing {...shared} geometry={geometry.geometries.heat} label={kindName(kind)} ref={drawing} />
    </div>
  );
}
