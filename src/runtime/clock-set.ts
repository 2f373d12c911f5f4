// What the runtime's rows need when the clock is set back: waits are kept as the time of their end, and would last
// longer by as much. Deadlines that follow from a record's columns (expiry, reset) are dates and stay. When it is set
// forward waits end early, and nothing needs to be done.
import { sql, type Reader, type Statement } from "../db/index.ts";
import { DUE_TIMER } from "./step-actions.ts";

/** What was due shortly before and is not done yet is still to be done. */
const UNDER_WAY_MS = 60_000;

/**
 * Statements that shorten the waits begun before the clock was set from `before` to `after` (Unix milliseconds, `after`
 * earlier). Run twice they change little: what is shortened ends before the range.
 */
export function waitsShortened(reads: Reader, before: number, after: number): Statement[] {
  const by = before - after;
  const from = before - UNDER_WAY_MS;
  return [
    reads.statement(
      "clock.timers",
      sql`update timers set due_at = due_at - ${by} where name <> ${DUE_TIMER} and due_at >= ${from}`,
    ),
    reads.statement(
      "clock.effects",
      sql`update effects set next_at = next_at - ${by} where state = 'pending' and next_at >= ${from}`,
    ),
  ];
}
