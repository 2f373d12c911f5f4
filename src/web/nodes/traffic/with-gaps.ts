// Points of traffic with the moments of which nothing is known, so that a gap is drawn as a gap. Pure.
import type { Traffic } from "../../../history/traffic.schema.ts";

type Point = Traffic["series"][number]["points"][number];
/** A moment; without a point nothing is known of it. */
export interface Moment {
  readonly at: number;
  readonly point: Point | undefined;
}

const SECONDS = { hour: 3600, day: 86_400 } as const;

/** The range's moments in order. Days may be an hour longer or shorter: those that are known stand where they begin. */
export function withGaps(
  { start, end, step }: Pick<Traffic, "start" | "end" | "step">,
  points: readonly Point[],
): Moment[] {
  const length = SECONDS[step];
  const found: Moment[] = [];
  const missing = (from: number, until: number) => {
    for (let at = from; at <= until - length * 0.9; at += length) found.push({ at, point: undefined });
  };
  let next = start;
  for (const point of points) {
    missing(next, point.at);
    found.push({ at: point.at, point });
    next = point.at + length;
  }
  missing(next, end);
  return found;
}
