// What the dispatcher asks of the database: who has deliveries to be sent, which ones, and whose turn it is to send
// them.
import { sql, type Committer, type Reader, type Statement } from "../db/index.ts";
import type { EnvelopeSource } from "./envelope.ts";
import { BLOCKING_FAILURES } from "./retry.ts";

/** A delivery whose time has come. */
export interface DueDelivery {
  readonly id: number;
  readonly subject: string;
  readonly raisedAt: number;
  readonly attempts: number;
  /** Undefined: the event is no longer stored, so there is nothing to send. */
  readonly event: EnvelopeSource | undefined;
  /** The earlier delivery of the same subject that holds this one back, and until when (Unix milliseconds). */
  readonly blocker: { readonly id: number; readonly until: number } | undefined;
}

/**
 * Enabled subscribers that have deliveries due at `now` (Unix milliseconds) and are not another process's. One probe of
 * the index for each subscriber.
 */
export async function dueSubscribers(reads: Reader, owner: string, now: number): Promise<number[]> {
  const rows = await reads.query<{ id: number }>(sql`
    select w.id from webhooks w join delivery_queues q on q.subscriber_id = w.id
    where w.enabled and (q.owner = ${owner} or q.lease_until <= ${now}) and exists
      (select 1 from deliveries d where d.subscriber_id = w.id and d.state = 'pending' and d.next_attempt_at <= ${now})`);
  return rows.map(({ id }) => id);
}

interface DueRow {
  readonly id: number;
  readonly subject: string;
  readonly raised_at: number;
  readonly attempts: number;
  readonly event_id: number | null;
  readonly event: string;
  readonly time: number | null;
  readonly data: string | null;
  readonly admin_id: number | null;
  readonly blocker_id: number | null;
  readonly blocked_until: number | null;
}

/**
 * At most `limit` deliveries of a subscriber that are due at `now`, without those of the subjects that are being worked
 * on.
 */
export async function dueDeliveries(
  reads: Reader,
  subscriberId: number,
  now: number,
  busy: ReadonlySet<string>,
  limit: number,
): Promise<DueDelivery[]> {
  const others = busy.size === 0 ? sql`` : sql`and subject not in (${sql.join([...busy])})`;
  // The page first, then what belongs to its rows: joined the other way round, all that is due would be joined for one
  // page.
  const rows = await reads.query<DueRow>(sql`
    with page as (
      select id from deliveries
      where subscriber_id = ${subscriberId} and state = 'pending' and next_attempt_at <= ${now} ${others}
      order by next_attempt_at, raised_at, id limit ${limit})
    select d.id, d.subject, d.raised_at, d.attempts, d.event, e.id as event_id, e.time, e.data, e.admin_id,
      b.id as blocker_id, b.next_attempt_at as blocked_until
    from page
    join deliveries d on d.id = page.id
    left join events e on e.id = d.event_id
    left join deliveries b on b.id =
      (select x.id from deliveries x
        where x.subscriber_id = d.subscriber_id and x.subject = d.subject and x.state = 'pending'
          and x.attempts between 1 and ${BLOCKING_FAILURES} and (x.raised_at, x.id) < (d.raised_at, d.id)
        order by x.raised_at, x.id limit 1)`);
  return rows.map(dueDelivery);
}

function dueDelivery(row: DueRow): DueDelivery {
  const { id, subject, attempts, event_id: eventId, time, data } = row;
  const stored = eventId !== null && time !== null && data !== null;
  return {
    id,
    subject,
    raisedAt: row.raised_at,
    attempts,
    event: stored ? { id: eventId, event: row.event, time, data, adminId: row.admin_id } : undefined,
    blocker: row.blocker_id === null ? undefined : { id: row.blocker_id, until: row.blocked_until ?? 0 },
  };
}

/** Puts deliveries off to the time of what holds them back, so that they are not looked at again before. */
export async function putOff(commits: Committer, reads: Reader, deliveries: readonly DueDelivery[]): Promise<void> {
  const byTime = Map.groupBy(deliveries, ({ blocker }) => blocker?.until ?? 0);
  const statements = [...byTime].map(([until, group]) =>
    reads.statement(
      "deliveries.put_off",
      sql`update deliveries set next_attempt_at = ${until} where state = 'pending' and id in (${sql.join(group.map(({ id }) => id))})`,
    ),
  );
  if (statements.length > 0) await commits.execute({ name: "deliveries.put_off", statements });
}

/**
 * Takes or renews the lease on subscribers; resolves to those that are `owner`'s until `until` (Unix milliseconds). One
 * statement decides between processes; on PostgreSQL a row that another one holds at this moment is passed over and
 * tried at the next poll.
 */
export async function claimSubscribers(
  commits: Committer,
  reads: Reader,
  claim: { readonly ids: readonly number[]; readonly owner: string; readonly now: number; readonly until: number },
): Promise<number[]> {
  const passOver = reads.dialect === "postgresql" ? sql`for update skip locked` : sql``;
  const statement = reads.statement(
    "subscribers.claim",
    sql`update delivery_queues set owner = ${claim.owner}, lease_until = ${claim.until} where subscriber_id in
      (select subscriber_id from delivery_queues
        where subscriber_id in (${sql.join([...claim.ids])}) and (owner = ${claim.owner} or lease_until <= ${claim.now})
        order by subscriber_id ${passOver})
      returning subscriber_id`,
  );
  const [result] = await commits.execute({ name: "subscribers.claim", statements: [statement] });
  return (result?.rows ?? []).map((row) => Number(row["subscriber_id"]));
}

/** Gives up all leases of a process, so that others need not wait for their end. */
export async function releaseSubscribers(commits: Committer, reads: Reader, owner: string): Promise<void> {
  const statement = reads.statement(
    "subscribers.release",
    sql`update delivery_queues set lease_until = 0 where owner = ${owner} and lease_until > 0`,
  );
  await commits.execute({ name: "subscribers.release", statements: [statement] });
}

/**
 * Statements that shorten the waits for a next attempt which began before the clock was set back from `before` to
 * `after` (Unix milliseconds).
 */
export function retriesShortened(reads: Reader, before: number, after: number): Statement[] {
  const shorten = sql`update deliveries set next_attempt_at = next_attempt_at - ${before - after} where state = 'pending' and next_attempt_at >= ${before}`;
  return [reads.statement("clock.deliveries", shorten)];
}

/**
 * What the rows of this feature need that come back out of an archive: queues are nobody's, and cursors from before are
 * known no more (rule backups.load.7).
 */
export function eventsRestored(reads: Reader, { epoch }: { readonly epoch: string }): Statement[] {
  return [
    reads.statement("restored.queues", sql`update delivery_queues set owner = '', lease_until = 0`),
    reads.statement("restored.epoch", sql`update event_log set epoch = ${epoch}`),
  ];
}
