// The answer of a traffic route as figures of a plot and rows of a table. Pure.
import type { Traffic } from "../../history/traffic.schema.ts";
import { HUES } from "../parts/plot/hues.ts";
import type { PlotPoint, PlotSeries } from "../parts/plot/scale.ts";

type Series = Traffic["series"][number];
type Window = Pick<Traffic, "start" | "end" | "step">;

const SECONDS: Readonly<Record<Traffic["step"], number>> = { hour: 3600, day: 86_400 };

/** As many series as a plot can tell apart: the others stand in its table alone. */
export const DRAWN = HUES;

/** Both directions together. */
export const bytesOf = ({ up, down }: Pick<Series, "up" | "down">): number => up + down;

/** Bytes of all of them, with those that have no series of their own. */
export function sumOf({ series, rest }: Pick<Traffic, "series" | "rest">): number {
  return series.reduce((sum, each) => sum + bytesOf(each), bytesOf(rest));
}

/**
 * The heaviest as series of a plot that spans the whole window up to `now` (Unix seconds). Of moments that no series
 * knows nothing is drawn: a gap is a gap.
 */
export function plotSeries(traffic: Traffic, now: number, nameOf: (of: Series) => string): PlotSeries[] {
  const drawn = traffic.series.slice(0, DRAWN);
  const gaps = gapsOf(traffic, drawn, now);
  return drawn.map((each) => ({
    id: String(each.id),
    name: nameOf(each),
    points: inOrder(
      each.points.map((point) => ({ at: point.at, value: bytesOf(point) })),
      gaps,
    ),
  }));
}

/** One direction of one series, with the gaps of its window. */
export function directionOf(traffic: Traffic, now: number, direction: "up" | "down"): PlotPoint[] {
  const points = traffic.series[0]?.points ?? [];
  return inOrder(
    points.map((point) => ({ at: point.at, value: point[direction] })),
    gapsOf(traffic, traffic.series.slice(0, 1), now),
  );
}

function inOrder(known: readonly PlotPoint[], gaps: readonly PlotPoint[]): PlotPoint[] {
  return [...known, ...gaps].toSorted((one, other) => one.at - other.at);
}

/** Moments of the window that no series knows. Days differ in length: one is missing where no known one is near. */
function gapsOf({ start, end, step }: Window, series: readonly Series[], now: number): PlotPoint[] {
  const length = SECONDS[step];
  const known = new Set(series.flatMap(({ points }) => points.map(({ at }) => Math.round((at - start) / length))));
  // A shorter last day begins no moment of its own.
  const count = Math.max(0, Math.ceil((Math.min(end, now) - start) / length - 0.1));
  return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    known.has(index) ? [] : [{ at: start + index * length, value: null }],
  );
}
