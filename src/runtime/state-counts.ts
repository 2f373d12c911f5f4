// How many actors are in each state. The commits that move actors update the counters, so that a million rows never
// have to be counted.
//
// Invariant: of every kind and state, the rows of `state_counts` add up to the actors whose row says that state, after
// every commit, whichever process wrote and whichever was killed.
import { sql, type Draft, type Reader } from "../db/index.ts";
import { StateCountRows } from "./actor.entity.ts";

/**
 * Processes on one database draw among so many hands; where two draw the same, one waits for the end of the other's
 * commit now and then.
 */
const HANDS = 16;

/** The actors of a kind in a state. */
export interface StateCount {
  readonly kind: string;
  readonly state: string;
  readonly total: number;
}

/** Counts in rows of its process, which is known by the name of its run; empty where no other is on the database. */
export class StateCounter {
  readonly #hand: number;

  constructor(boot: string) {
    this.#hand = Buffer.from(boot).reduce((sum, byte) => (sum * 31 + byte) % HANDS, 0);
  }

  /**
   * An actor of `kind` goes from one state to another, as the columns of its row say them; undefined: it comes, or
   * goes.
   */
  count(draft: Draft, kind: string, from: string | undefined, to: string | undefined): void {
    if (from === to) return;
    const hand = `${this.#hand}.${draft.session}`;
    if (from !== undefined) draft.add(StateCountRows, { id: `${hand}:${kind}:${from}`, kind, state: from, total: -1 });
    if (to !== undefined) draft.add(StateCountRows, { id: `${hand}:${kind}:${to}`, kind, state: to, total: 1 });
  }
}

/** The counts of the kinds given, of states with actors in them. */
export function stateCounts(reads: Reader, kinds: readonly string[]): Promise<StateCount[]> {
  return reads.query(
    sql<StateCount>`select kind, state, sum(total) as total from state_counts where kind in (${sql.join([...kinds])})
      group by kind, state having sum(total) > 0`,
  );
}

/** The counts of all kinds, and on PostgreSQL the snapshot that they are of. */
export async function stateCountsAt(
  reads: Reader,
): Promise<{ readonly counts: readonly StateCount[]; readonly position: string }> {
  const position = reads.dialect === "postgresql" ? sql`pg_current_snapshot()::text` : sql`''`;
  const rows = await reads.query<StateCount & { position: string }>(
    sql`select kind, state, sum(total) as total, ${position} as position from state_counts group by kind, state having sum(total) > 0
      union all select '', '', 0, ${position}`,
  );
  return { counts: rows.filter(({ kind }) => kind !== ""), position: rows.at(-1)?.position ?? "" };
}
