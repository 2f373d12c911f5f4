// What the runtime's rows need that come back out of an archive: no process of theirs is there any more.
import { sql, type Reader, type Statement } from "../db/index.ts";

/**
 * Effects are nobody's, and due. What an earlier run left to end has ended. `home` stays: whoever finds it gone tells
 * the chart that its secrets are lost.
 */
export function effectsReleased(reads: Reader, now: number): Statement[] {
  return [
    reads.statement("restored.ended", sql`delete from effects where state = 'ended'`),
    reads.statement(
      "restored.effects",
      sql`update effects set state = 'pending', owner = '', next_at = case when owner = '' then next_at else ${now} end
        where owner <> '' or state <> 'pending'`,
    ),
  ];
}

/**
 * One actor of a kind is there alone, in a state that waits for nothing: what others of it waited for is gone with
 * their rows.
 */
export function onlyActor(reads: Reader, kind: string, state: string): Statement[] {
  const forgotten = [
    sql`delete from timers where kind = ${kind}`,
    sql`delete from effects where kind = ${kind}`,
    sql`delete from errand_lines where kind = ${kind}`,
    sql`delete from errands where kind = ${kind}`,
    sql`delete from state_counts where kind = ${kind}`,
  ];
  const counted = sql`insert into state_counts (id, kind, state, total) values (${`0.0:${kind}:${state}`}, ${kind}, ${state}, 1)`;
  return [...forgotten, counted].map((query) => reads.statement("restored.only", query));
}
