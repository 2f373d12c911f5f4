// An actor's chart: drawn where this interface has the drawing of the running version, in words where it has not.
import { lazy, Suspense, type Ref } from "react";
import { ChartDrawing, type ChartDrawingProps, type DrawingHandle } from "../chart/ChartDrawing.tsx";
import { ChartOutline } from "../chart/ChartOutline.tsx";
import classes from "./actor.module.css";
import { useGeometry } from "./use-geometry.ts";
import type { Chart } from "./use-machines.ts";

// Asked for with the page, not when the drawing is there: the two come together.
const canvas = import("../chart/ChartCanvas.tsx");
const ChartCanvas = lazy(async () => canvas);

interface ChartViewProps extends Omit<ChartDrawingProps, "graph" | "geometry" | "ref"> {
  readonly chart: Chart;
  readonly phone: boolean;
  readonly drawing: Ref<DrawingHandle>;
}

export function ChartView({ chart, phone, drawing, ...shown }: ChartViewProps) {
  const geometry = useGeometry(chart);
  if (geometry === undefined) return <div aria-busy />;
  if (geometry === null) {
    return (
      <div className={classes["outline"]}>
        <ChartOutline graph={chart.graph} lit={shown.lit} instead={chart.graph.drawable ? "outdated" : "undrawn"} />
      </div>
    );
  }
  const form = phone ? geometry.geometries.phone : geometry.geometries.full;
  return (
    <Suspense fallback={<div aria-busy />}>
      <ChartCanvas geometry={form} centre={shown.lit} follow>
        <ChartDrawing graph={chart.graph} geometry={form} ref={drawing} {...shown} />
      </ChartCanvas>
    </Suspense>
  );
}
