// An actor's chart: drawn where this interface has the drawing of the running version, in words where it has not.
import { useMediaQuery } from "@mantine/hooks";
import { useState, type Ref } from "react";
import { ChartCanvas } from "../../chart/ChartCanvas.tsx";
import { ChartDrawing, type ChartDrawingProps, type DrawingHandle } from "../../chart/ChartDrawing.tsx";
import { ChartOutline } from "../../chart/ChartOutline.tsx";
import type { Geometry, Rectangle } from "../../chart/geometry.ts";
import type { ChartGraph } from "../../chart/graph.ts";
import { NAMES_READABLE } from "../../chart/view.ts";
import { Legend, type LegendTone } from "../../chart/Legend.tsx";
import classes from "./actor.module.css";
import { useGeometry } from "./use-geometry.ts";
import type { Chart } from "../use-machines.ts";

interface ChartViewProps extends Omit<ChartDrawingProps, "graph" | "geometry" | "ref"> {
  readonly chart: Chart;
  readonly phone: boolean;
  readonly drawing: Ref<DrawingHandle>;
}

export function ChartView({ chart, phone, drawing, ...shown }: ChartViewProps) {
  const geometry = useGeometry(chart);
  const [detailed, toggle] = useDetailed();
  const wide = useMediaQuery("(min-aspect-ratio: 1/1)", undefined, { getInitialValueInEffect: false });
  if (geometry === undefined) return <div aria-busy />;
  if (geometry === null) {
    return (
      <div className={classes["outline"]}>
        <ChartOutline graph={chart.graph} lit={shown.lit} instead={chart.graph.drawable ? "outdated" : "undrawn"} />
      </div>
    );
  }
  const name = phone ? "phone" : detailed ? "full" : wide ? "heat" : "phone";
  const form = geometry.geometries[name];
  return (
    <ChartCanvas
      key={name}
      geometry={form}
      centre={shown.lit}
      around={neighboursIn(chart.graph, form, shown)}
      readable={phone || detailed ? undefined : NAMES_READABLE}
      detail={phone ? undefined : { shown: detailed, toggle }}
      legend={<Legend tones={tonesIn(shown)} />}
      follow
    >
      <ChartDrawing graph={chart.graph} geometry={form} ref={drawing} {...shown} />
    </ChartCanvas>
  );
}

const DETAILED = "signalbox.chart-detail";

/**
 * Whether everything that the chart says is drawn, to be moved about in, or its names alone, all in sight. The page
 * beside it says the rest.
 */
function useDetailed(): readonly [boolean, () => void] {
  const [detailed, setDetailed] = useState(() => localStorage.getItem(DETAILED) === "true");
  const toggle = () => {
    localStorage.setItem(DETAILED, String(!detailed));
    setDetailed(!detailed);
  };
  return [detailed, toggle];
}

function tonesIn({ last = [], takeable, ghost }: Pick<ChartDrawingProps, "last" | "takeable" | "ghost">): LegendTone[] {
  const drawn = { last: last.length, takeable: takeable?.size ?? 0, ghost: ghost?.wires.length ?? 0 };
  return (["last", "takeable", "ghost"] as const).filter((tone) => drawn[tone] > 0);
}

/**
 * What is worth seeing with the state: the one around it, where it came from and by which event, then where it could
 * go. Other outer states as a whole would leave no room.
 */
function neighboursIn(
  graph: ChartGraph,
  { boxes, wires }: Geometry,
  { lit, last = [], takeable }: Pick<ChartDrawingProps, "lit" | "last" | "takeable">,
) {
  const around = (ids: Iterable<string>, end: "from" | "to"): Rectangle[] =>
    [...ids].flatMap((id) => {
      const box = graph.boxes.get(graph.wires.get(id)?.[end] ?? "");
      return [wires[id]?.pill, box && box.kind !== "compound" ? boxes[box.id] : undefined].filter(
        (each) => each !== undefined,
      );
    });
  const outer = boxes[graph.boxes.get(lit ?? "")?.parent ?? ""];
  return [...(outer ? [outer] : []), ...around(last, "from"), ...around(takeable ?? [], "to")];
}
