// Forgetting: events past their retention, with the deliveries that are settled. Called hourly.
import { inBatches, sql, sweepRows, type Query, type SweepStore } from "../db/index.ts";
import { forgetEvents } from "../runtime/index.ts";

const DAY = 86_400;
/** Events of one statement. */
const AT_ONCE = 2000;

export interface Pruned {
  readonly deliveries: number;
  readonly events: number;
}

/**
 * Deletes what was raised more than `days` days before `now` (Unix seconds). An event stays while a delivery of it is
 * still to be sent; deliveries that wait for a webhook which is switched off or gone are not waited for.
 */
export async function pruneEvents(store: SweepStore, now: number, days: number): Promise<Pruned> {
  const before = now - days * DAY;
  const deliveries = await sweepRows(store, {
    name: "events.prune",
    table: "deliveries",
    alias: "d",
    ids: sql`select d.id from events e join deliveries d on d.event_id = e.id where e.time < ${before} and (
      d.state <> 'pending' or not exists (select 1 from webhooks w where w.id = d.subscriber_id and w.enabled))`,
  });
  return { deliveries, events: await forget(store, before) };
}

/**
 * Batch by batch, up to a position that the log then begins behind: who stands before it is told so. What has no
 * position yet stays, since nobody could tell of it that it went.
 */
function forget({ commits, reads }: SweepStore, before: number): Promise<number> {
  const old: Query = sql`select e.id, e.position, e.time from events e where e.time < ${before} and e.position is not null
    and not exists (select 1 from deliveries d where d.event_id = e.id) limit ${AT_ONCE}`;
  // A statement may see other rows than the query before it. One that deletes none leaves the rest to the next hour.
  return inBatches({ full: 1 }, async () => {
    const [last] = await reads.query<{ position: number; id: number; time: number }>(
      sql`select position, id, time from (${old}) o order by position desc limit 1`,
    );
    if (!last) return 0;
    const begin = sql`update event_log set forgotten_position = ${last.position}, forgotten_id = ${last.id},
      forgotten_time = ${last.time} where forgotten_position < ${last.position}`;
    const gone = forgetEvents(sql`select o.id from (${old}) o where o.position <= ${last.position}`);
    const statements = [reads.statement("events.log", begin), reads.statement("events.prune", gone)];
    const results = await commits.execute({ name: "events.prune", statements });
    return results[1]?.count ?? 0;
  });
}
