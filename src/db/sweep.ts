// Changes or removes many rows in small commits, so that nobody waits for a long one: finds the next rows, locks them,
// changes them, and goes on behind them.
//
// Invariants:
// - A commit touches at most `atOnce` rows. After it, whatever waits in this process has its turn first.
// - Where there is nothing to do, nothing is written: a table at rest costs one read.
// - A row is changed only if it meets the condition when it is locked. On PostgreSQL a row that another process holds
//   is waited for and looked at again, so several processes may sweep beside each other.
// - A sweep ends at a batch that was not full: no row met the condition any more when that batch began.
import { setImmediate as nextTick } from "node:timers/promises";
import type { Committer } from "./commit.ts";
import type { Draft } from "./draft.ts";
import { sql, type Query, type Reader } from "./read.ts";
import type { Lock } from "./row-writes.ts";

/** Rows of one commit, where nothing else is said. */
const AT_ONCE = 1000;

/** What a sweep works with. */
export interface SweepStore {
  readonly commits: Committer;
  readonly reads: Reader;
}

interface Batches {
  /** Rows of one commit. */
  readonly atOnce?: number;
  /** Asked before each batch; false ends the sweep. */
  readonly going?: () => boolean;
}

export interface Sweep extends Batches {
  /** Name of its commits. */
  readonly name: string;
  readonly table: string;
  /** Selects the ids of the rows, the first ones first: no limit, no lock. */
  readonly ids: Query;
  /** What the table is called in `ids`, if that is not its own name. */
  readonly alias?: string;
  /** Assignments (`state = ''`) that keep the rows, and take them out of `ids`. Without it the rows are deleted. */
  readonly set?: Query;
}

/** Removes the rows that a query selects, by statements. Resolves to their number. */
export async function sweepRows({ commits, reads }: SweepStore, sweep: Sweep): Promise<number> {
  const { name, table, ids, alias = table, set, atOnce = AT_ONCE, going } = sweep;
  const chosen =
    reads.dialect === "sqlite"
      ? sql`id in (${ids} limit ${atOnce})`
      : sql`id = any(array(${ids} limit ${atOnce} for update of ${sql.ref(alias)}))`;
  const rows = sql.table(table);
  const change = set ? sql`update ${rows} set ${set} where ${chosen}` : sql`delete from ${rows} where ${chosen}`;
  const statement = reads.statement(name, change);
  if (going?.() === false || (await reads.query(sql`${ids} limit 1`)).length === 0) return 0;
  return inBatches({ full: atOnce, going }, async () => {
    const [result] = await commits.execute({ name, statements: [statement] });
    return result?.count ?? 0;
  });
}

export interface LockedSweep extends Batches {
  /** Name of its commits. */
  readonly name: string;
  /** Selects the ids above `last`, in their order: no limit. */
  readonly after: (last: number) => Query;
  readonly locks: (ids: readonly number[]) => readonly Lock[];
  /** Decides for all of a batch. A row may have changed or gone since its id was read. */
  readonly decide: (draft: Draft, ids: readonly number[]) => void;
}

/** Removes or changes rows that need a decision each. Resolves to the number of rows that it decided on. */
export async function sweepLocked({ commits, reads }: SweepStore, sweep: LockedSweep): Promise<number> {
  const { name, after, locks, decide, atOnce = AT_ONCE, going } = sweep;
  let last = 0;
  return inBatches({ full: atOnce, going }, async () => {
    const rows = await reads.query<{ id: number | string }>(sql`${after(last)} limit ${atOnce}`);
    const ids = rows.map(({ id }) => Number(id));
    last = ids.at(-1) ?? last;
    if (ids.length > 0) await commits.submit({ name, locks: locks(ids), decide: (draft) => decide(draft, ids) });
    return ids.length;
  });
}

/**
 * Repeats a batch, which resolves to the number of rows that it touched, until these are fewer than `full`. Resolves to
 * the number of all. For a sweep of which each commit does more than remove rows.
 */
export async function inBatches(
  { full, going }: { readonly full: number; readonly going?: (() => boolean) | undefined },
  batch: () => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    if (going?.() === false) return total;
    const count = await batch();
    total += count;
    if (count < full) return total;
    await nextTick();
  }
}
