// The answer of a traffic route as figures of a plot and rows of a table. Pure.
import type { Traffic } from "../../history/traffic.schema.ts";
import type { PlotPoint, PlotSeries } from "../parts/plot/scale.ts";

const SECONDS: Readonly<Record<Traffic["step"], number>> = { hour: 3600, day: 86_400 };
/** A day is at most an hour longer or shorter where clocks change. */
const CHANGE = 3600;

/** Both directions together, one series each. Of moments that no series knows nothing is drawn: a gap is a gap. */
export function plotSeries({ series, step }: Traffic, nameOf: (id: number, name: string) => string): PlotSeries[] {
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted((a, b) => a - b);
  const unknown = gapsIn(moments, SECONDS[step]);
  return series.map(({ id, name, points }) => ({
    id: String(id),
    name: nameOf(id, name),
    points: [...points.map((point) => ({ at: point.at, value: point.up + point.down })), ...unknown].toSorted(
      (one, other) => one.at - other.at,
    ),
  }));
}

/** A moment in each stretch between two known ones that is longer than a step. */
function gapsIn(moments: readonly number[], step: number): PlotPoint[] {
  return moments.slice(1).flatMap((at, index) => {
    const before = moments[index] ?? at;
    return at - before > step + CHANGE * (step > CHANGE ? 1 : 0) ? [{ at: before + step, value: null }] : [];
  });
}

/** Bytes of all of them, with those that have no series of their own. */
export function sumOf({ series, rest }: Traffic): number {
  return series.reduce((sum, { up, down }) => sum + up + down, rest.up + rest.down);
}
