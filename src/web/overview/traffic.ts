// The traffic of the overview: its ranges, and how one compares with the range before. Pure.
import type { Traffic } from "../../history/traffic.schema.ts";

/** What is asked for each range; a range of a week still shows when it was busy. */
export const RANGES = {
  "24h": { hours: 24, step: "hour" },
  "7d": { hours: 7 * 24, step: "hour" },
  "30d": { hours: 30 * 24, step: "day" },
  "90d": { hours: 90 * 24, step: "day" },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_IDS = Object.keys(RANGES) as readonly Range[];

/** The range before, of the same length, up to where this one begins. */
export function rangeBefore({ start, end, step }: Pick<Traffic, "start" | "end" | "step">) {
  return { start: start - (end - start), end: start, step };
}

/** Undefined where nothing is known of before, or nothing moved then. */
export function changeSince(now: number, before: number | undefined): number | undefined {
  return before === undefined || before === 0 ? undefined : now / before - 1;
}
