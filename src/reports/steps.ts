// Whether a range is told by the hour or by the day, where nobody says it.
import type { TrafficStep } from "../history/index.ts";
import type { TimeRange } from "../http/index.ts";

const DAY = 86_400;
/** Ranges up to here are told by the hour, longer ones by the day. */
const BY_HOUR = 3 * DAY;

export function stepOf({ start, end }: TimeRange): TrafficStep {
  return end - start <= BY_HOUR ? "hour" : "day";
}
