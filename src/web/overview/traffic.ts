// The traffic of the overview: its ranges, its series as a plot takes them, and how it compares with the range before.
// Pure.
import type { z } from "zod";
import type { Traffic as TrafficView } from "../../history/traffic.schema.ts";
import type { PlotSeries } from "../parts/plot/scale.ts";

export type Traffic = z.output<typeof TrafficView>;
type Series = Traffic["series"][number];

const HOUR = 3600;

/** What is asked for each range; a range of a week still shows when it was busy. */
export const RANGES = {
  "24h": { hours: 24, step: "hour" },
  "7d": { hours: 7 * 24, step: "hour" },
  "30d": { hours: 30 * 24, step: "day" },
  "90d": { hours: 90 * 24, step: "day" },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_IDS = Object.keys(RANGES) as readonly Range[];

export const bytesOf = ({ up, down }: Pick<Series, "up" | "down">): number => up + down;

export function totalOf({ series, rest }: Traffic): number {
  return series.reduce((sum, each) => sum + bytesOf(each), bytesOf(rest));
}

/** The range before, of the same length, up to where this one begins. */
export function rangeBefore({ start, end, step }: Pick<Traffic, "start" | "end" | "step">) {
  return { start: start - (end - start), end: start, step };
}

/** Undefined where nothing is known of before, or nothing moved then. */
export function changeSince(now: number, before: number | undefined): number | undefined {
  return before === undefined || before === 0 ? undefined : now / before - 1;
}

/** Series as a plot takes them. Moments of which no series knows anything are a gap in all of them. */
export function plotSeries({ series, start, end, step }: Traffic, now: number, nameOf: (of: Series) => string) {
  const gaps = missingMoments(series, { start, end: Math.min(end, now), step });
  return series.map((each): PlotSeries => {
    const known = each.points.map((point) => ({ at: point.at, value: bytesOf(point) }));
    const unknown = gaps.map((at) => ({ at, value: null }));
    return { id: String(each.id), name: nameOf(each), points: [...known, ...unknown].toSorted((a, b) => a.at - b.at) };
  });
}

/** Days are not all of one length: a moment is missing where no known one is near. */
function missingMoments(
  series: readonly Series[],
  { start, end, step }: Pick<Traffic, "start" | "end" | "step">,
): readonly number[] {
  const length = step === "hour" ? HOUR : 24 * HOUR;
  const known = new Set(series.flatMap(({ points }) => points.map(({ at }) => Math.round((at - start) / length))));
  const count = Math.max(0, Math.ceil((end - start) / length));
  return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    known.has(index) ? [] : [start + index * length],
  );
}
