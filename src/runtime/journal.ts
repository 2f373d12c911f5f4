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

/** Condition on rows of `journal`: an entry and those of the same actor before it, `count` in all, every one unless said. Costs a row read for each. */
export function entriesBackFrom({ id, seq }: JournalRow, count = seq): Query<boolean> {
  const oldest = seq - count + 1;
  return sql<boolean>`id in (
    with recursive chain (id, seq, previous) as (
      select id, seq, previous from journal where id = ${id}
      union all
      select j.id, j.seq, j.previous from chain c join journal j on j.id = c.previous where c.seq > ${oldest}
    )
    select id from chain)`;
}
