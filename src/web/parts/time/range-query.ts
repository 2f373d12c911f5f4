// The span of a page as the API's parameters. A usual span stays one question while time goes on.
import type { PresetRange, TimeRange } from "./range.ts";

const HOURS: Readonly<Record<PresetRange, number>> = { "1h": 1, "24h": 24, "7d": 168, "30d": 720, "90d": 2160 };

export function rangeQuery({ from, to, preset }: TimeRange): Readonly<Record<string, number>> {
  return preset ? { hours: HOURS[preset] } : { start: from, end: to };
}
