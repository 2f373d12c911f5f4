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
