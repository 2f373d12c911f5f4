// Until when a node has told of what it was given, once a batch of it is counted: the moment from which the next one
// may reach back.
//
// Three things bound it. The readings in the batch: its `to`, by the agent's clock, less what that may be ahead; what
// was read within its last second may be in the next batch. What the panel had told the agent by then: an account whose
// removal the agent has not taken is still given to it. And the time that the link is up: an agent that is asked
// without a pause has long sent what it had kept, whatever its `to` says.
import type { UsageBatch } from "../protocol/messages.ts";

/** An agent that is linked for so long has sent everything that it read before. */
export const DRAINED_MS = 10 * 60_000;

/**
 * How far an agent's clock may be ahead without its usage being refused; a batch on its way is older than it looks by
 * as much.
 */
const AHEAD_MS = 5000;

export interface Telling {
  /** Unix milliseconds at which the batch came in. */
  readonly at: number;
  /** Unix milliseconds at which the agent was last known to have been told everything; 0: not yet on this link. */
  readonly told: number;
  /** Unix milliseconds since when the agent is linked. */
  readonly linkedSince: number;
}

export function toldUntil({ to }: Pick<UsageBatch, "to">, { at, told, linkedSince }: Telling): number {
  const read = Math.min(at, to * 1000) - AHEAD_MS;
  return Math.min(told, Math.max(read, drainedUntil(at, linkedSince)));
}

/** What was read before this has been sent; 0 while that is not sure. */
export function drainedUntil(at: number, linkedSince: number): number {
  return at - linkedSince >= DRAINED_MS ? at - DRAINED_MS : 0;
}
