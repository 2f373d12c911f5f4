// Ranges of time as routes take them: `hours` until now, or `start` and `end` together (rule http.range.1).
import { z } from "zod";
import { LATEST } from "../lib/moments.ts";
import { invalid } from "./refusals/errors.ts";
import { rule } from "./refusals/rules.ts";
import { queryBounded } from "./wire.ts";

const HOUR = 3600;
/** The longest range. */
export const MOST_DAYS = 400;
const MOST_HOURS = MOST_DAYS * 24;
const moment = queryBounded(0, LATEST);

/** Query parameters of a range. */
export const rangeParameters = {
  hours: queryBounded(1, MOST_HOURS).optional(),
  start: moment.optional(),
  end: moment.optional(),
};
const Parameters = z.object(rangeParameters);

/** Unix seconds; `end` is not part of it. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a request asks for; `hours` is ignored where `start` and `end` are given, and `unsaid` where nothing
 * is. Throws 400.
 */
export function rangeOf({ hours, start, end }: z.output<typeof Parameters>, now: number, unsaid = 24): TimeRange {
  if (start === undefined && end === undefined) return { start: now - (hours ?? unsaid) * HOUR, end: now };
  if (start === undefined) return invalid("start", rule("needed_with", "end"));
  if (end === undefined) return invalid("end", rule("needed_with", "start"));
  if (end <= start) invalid("end", rule("too_small", start + 1));
  if (end - start > MOST_HOURS * HOUR) invalid("end", rule("too_large", start + MOST_HOURS * HOUR));
  return { start, end };
}
