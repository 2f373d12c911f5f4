// What an uptime bar says, as moments and stretches. Pure.
import type { NodeHealth } from "../../../health/health.schema.ts";

export type Bar = NodeHealth["bar"];
export type Stretch = Bar[number];
export type HealthState = Stretch["state"];

/** Every step of the range up to now, known or not: a step without a point is a gap. */
export function momentsOf({ start, step, bar }: Pick<NodeHealth, "start" | "step" | "bar">): readonly number[] {
  const end = bar.at(-1)?.end ?? start;
  const first = start - (start % step);
  return Array.from({ length: Math.max(0, Math.ceil((end - first) / step)) }, (_, index) => first + index * step);
}

/** Seconds of each state. */
export function secondsOf(bar: Bar): Readonly<Record<HealthState, number>> {
  const seconds = { up: 0, down: 0, partial: 0, unknown: 0 };
  for (const { start, end, state } of bar) seconds[state] += end - start;
  return seconds;
}

/** Stretches in which a node did not serve, all the time or at times; the latest first. */
export function outagesOf(bar: Bar): readonly Stretch[] {
  return bar.filter(({ state }) => state === "down" || state === "partial").toReversed();
}
