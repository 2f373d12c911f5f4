// Work of the whole panel that one process does, each with the shard whose holder does it. A feature that has such work
// writes one line here and asks `hasDuty`.
//
// Rules:
// - A duty is asked for again before each step, never once at the start: its shard may move at any moment.
// - For a moment after a lease two processes may both have a duty. So a duty is work that two may do at once without
//   harm (locks and conditions in the statements); the table only keeps them from doing it twice or from contending.
// - A released duty keeps its shard. While versions change over, processes of both agree about who has it.
import type { Shards } from "./shards.ts";

const DUTIES = {
  /** Gives raised events their positions in the log. */
  "events.positions": 0,
  /** Folds and forgets the sums of traffic. */
  "history.fold": 0,
  /** Folds and forgets readings of nodes. */
  "health.fold": 0,
  /** Takes texts of accounts from the queue into the index. */
  "accounts.texts": 0,
  /** Makes archives by the schedule. */
  "backups.schedule": 0,
} as const;

export type Duty = keyof typeof DUTIES;

/** Whether this process has the duty at this moment. */
export function hasDuty(shards: Shards, duty: Duty): boolean {
  return shards.holds(DUTIES[duty]);
}

/** Calls `moved` whenever this process gains or loses the duty. Returns the way to stop. */
export function onDutyMoved(shards: Shards, duty: Duty, moved: () => void): () => void {
  const shard = DUTIES[duty];
  return shards.onChange(({ gained, lost }) => {
    if (gained.has(shard) || lost.has(shard)) moved();
  });
}
