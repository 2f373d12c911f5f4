// Forgetting: events past their retention, with the deliveries that are settled. Called hourly.
import { sql, type Committer, type Query, type Reader } from "../db/index.ts";
import { forgetEvents } from "../runtime/index.ts";

const DAY = 86_400;
/** Rows of one statement: short enough that nobody waits for it. */
const BATCH = 2000;

export interface Pruned {
  readonly deliveries: number;
  readonly events: number;
}

/**
 * Deletes what was raised more than `days` days before `now` (Unix seconds). An event stays while a delivery of it is
 * still to be sent; deliveries that wait for a webhook which is switched off or gone are not waited for.
 */
export async function pruneEvents(commits: Committer, reads: Reader, now: number, days: number): Promise<Pruned> {
  const before = now - days * DAY;
  const settled = (alias: string): Query => {
    const row = sql.raw(alias);
    return sql`(${row}.state <> 'pending' or not exists (select 1 from webhooks w where w.id = ${row}.subscriber_id and w.enabled))`;
  };
  // The condition is said again outside: on PostgreSQL a row that was re-sent while the statement waited for it is
  // looked at again.
  const deliveries = await repeat(
    commits,
    reads,
    sql`delete from deliveries where id in
      (select d.id from events e join deliveries d on d.event_id = e.id where e.time < ${before} and ${settled("d")} limit ${BATCH}) and ${settled("deliveries")}`,
  );
  return { deliveries, events: await forget(commits, reads, before) };
}

/**
 * Batch by batch, up to a position that the log then begins behind: who stands before it is told so. What has no
 * position yet stays, since nobody could tell of it that it went.
 */
async function forget(commits: Committer, reads: Reader, before: number): Promise<number> {
  const old = sql`select e.id, e.position, e.time from events e where e.time < ${before} and e.position is not null
    and not exists (select 1 from deliveries d where d.event_id = e.id) limit ${BATCH}`;
  for (let total = 0; ;) {
    const [last] = await reads.query<{ position: number; id: number; time: number }>(
      sql`select position, id, time from (${old}) o order by position desc limit 1`,
    );
    if (!last) return total;
    const begin = sql`update event_log set forgotten_position = ${last.position}, forgotten_id = ${last.id},
      forgotten_time = ${last.time} where forgotten_position < ${last.position}`;
    const gone = forgetEvents(sql`select o.id from (${old}) o where o.position <= ${last.position}`);
    const statements = [reads.statement("events.log", begin), reads.statement("events.prune", gone)];
    const results = await commits.execute({ name: "events.prune", statements });
    const count = results[1]?.count ?? 0;
    total += count;
    // The statement looked at other rows than the query before it, and deleted none: the next hour does the rest.
    if (count === 0) return total;
  }
}

async function repeat(commits: Committer, reads: Reader, query: Query): Promise<number> {
  const statement = reads.statement("events.prune", query);
  for (let total = 0; ;) {
    const [result] = await commits.execute({ name: "events.prune", statements: [statement] });
    const count = result?.count ?? 0;
    total += count;
    if (count < BATCH) return total;
  }
}
