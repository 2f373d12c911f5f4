// Reading the journal of an actor: a chain, walked from its newest entry back (see `JournalRows`).
import { sql, type Query, type Reader } from "../db/index.ts";
import { DELETED, JournalRows, type ActorRow, type JournalRow } from "./actor.entity.ts";
import type { ActorKind } from "./definition.ts";

/** The newest entry of an actor, of one that is gone too; undefined when there is none. */
export async function newestEntry<R extends ActorRow, C>(
  reads: Reader,
  { definition }: ActorKind<R, C>,
  id: number,
): Promise<JournalRow | undefined> {
  const row = await reads.find(definition.entity, id);
  if (row) return row.mlast === null ? undefined : reads.find(JournalRows, row.mlast);
  const [end] = await reads.rows(
    JournalRows,
    sql`select * from journal where kind = ${definition.kind} and actor_id = ${id} and to_state = ${sql.lit(DELETED)} order by id desc limit 1`,
  );
  return end;
}

/**
 * Condition on rows of `journal`: an entry and those of the same actor before it, `count` in all, every one unless
 * said; `since` (Unix milliseconds): one more than those after it. Costs a row read for each.
 */
export function entriesBackFrom({ id, seq }: JournalRow, count = seq, since = 0): Query<boolean> {
  const oldest = seq - count + 1;
  return sql<boolean>`id in (
    with recursive chain (id, seq, previous, at) as (
      select id, seq, previous, at from journal where id = ${id}
      union all
      select j.id, j.seq, j.previous, j.at from chain c join journal j on j.id = c.previous where c.seq > ${oldest} and c.at >= ${since}
    )
    select id from chain)`;
}

/** Steps in a row that may change no state before the one that entered it is not looked for any further. */
const STAYED = 1000;

/**
 * The steps that brought actors into their states: of each newest entry (by id) itself, or one before it where that and
 * those in between led back to the same state. None for an actor whose is too long ago.
 */
export async function enteringEntries(reads: Reader, newest: readonly number[]): Promise<readonly JournalRow[]> {
  if (newest.length === 0) return [];
  // An actor that was removed and came back has the state that it had.
  const stays = sql`case when j.from_state = j.to_state or j.to_state = ${sql.lit(DELETED)}
    or (j.from_state is null and j.previous is not null) then 1 else 0 end`;
  return reads.rows(
    JournalRows,
    sql`with recursive chain (id, previous, stayed, steps) as (
        select j.id, j.previous, ${stays}, 1 from journal j where j.id in (${sql.join(newest)})
        union all
        select j.id, j.previous, ${stays}, c.steps + 1
          from chain c join journal j on j.id = c.previous where c.stayed = 1 and c.steps < ${sql.lit(STAYED)}
      )
      select j.* from chain c join journal j on j.id = c.id where c.stayed = 0`,
  );
}
