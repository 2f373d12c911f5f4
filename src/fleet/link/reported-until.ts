// Until when a node has reported usage, once one of its batches is counted. The next batch may reach back to this time.
//
// Three things limit it:
// - The readings in the batch: its `to`, by the agent's clock, minus what that clock may be ahead. A reading of its
//   last second may be in the next batch.
// - What the panel had told the agent by then: the agent still serves an account until it has taken the removal.
// - How long the link is up: an agent that is asked without a pause has sent everything that it had stored, whatever
//   its `to` says.
import type { UsageBatch } from "../../protocol/messages.ts";

/** After this time on one link, an agent has sent everything that it read before. */
export const DRAINED_MS = 10 * 60_000;

/**
 * How far an agent's clock may be ahead before its usage is refused. A batch in transit is older than it looks by as
 * much.
 */
const AHEAD_MS = 5000;

export interface ReportTimes {
  /** Unix milliseconds at which the batch arrived. */
  readonly at: number;
  /** Unix milliseconds at which the agent was last known to have every change; 0: not yet on this link. */
  readonly informedAt: number;
  /** Unix milliseconds since when the agent is linked. */
  readonly linkedSince: number;
}

export function reportedUntil({ to }: Pick<UsageBatch, "to">, { at, informedAt, linkedSince }: ReportTimes): number {
  const read = Math.min(at, to * 1000) - AHEAD_MS;
  return Math.min(informedAt, Math.max(read, drainedUntil(at, linkedSince)));
}

/** Everything read before this time has been sent; 0 while that is not certain. */
export function drainedUntil(at: number, linkedSince: number): number {
  return at - linkedSince >= DRAINED_MS ? at - DRAINED_MS : 0;
}
