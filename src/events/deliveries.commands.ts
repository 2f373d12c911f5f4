// Sending many deliveries again: batch by batch, each one statement, so that nobody waits for it.
import { sql, type Committer, type Query, type Reader } from "../db/index.ts";
import type { ResendFields } from "./deliveries.schema.ts";

/** Rows of one statement. */
const BATCH = 1000;
/** Batches of one request. */
const BATCHES = 20;

export interface Resent {
  readonly queued: number;
  /** There are further ones in the state: ask again. */
  readonly more: boolean;
}

interface Store {
  readonly commits: Committer;
  readonly reads: Reader;
}

/**
 * Makes deliveries of a webhook pending again at once, each with the whole schedule before it. `now`: Unix
 * milliseconds.
 */
export async function resendDeliveries(
  { commits, reads }: Store,
  subscriberId: number,
  { ids, state }: ResendFields,
  now: number,
): Promise<Resent> {
  const own = sql`subscriber_id = ${subscriberId}`;
  const among =
    ids === undefined
      ? sql`${own} and state = ${state ?? ""} ${state === "pending" ? notYetDue(now) : sql``}`
      : sql`${own} and id in (${sql.join([...new Set(ids)])})`;
  const again = sql`update deliveries set state = 'pending', attempts = 0, next_attempt_at = ${now}, delivered_at = 0
    where id in (select id from deliveries where ${among} order by raised_at, id limit ${BATCH})`;
  const statement = reads.statement("deliveries.resend", again);
  for (let queued = 0, batches = 1; ; batches++) {
    const [result] = await commits.execute({ name: "deliveries.resend", statements: [statement] });
    const count = result?.count ?? 0;
    queued += count;
    if (ids !== undefined || count < BATCH) return { queued, more: false };
    if (batches === BATCHES) return { queued, more: true };
  }
}

/** One that is due already is sent without this; it would be found over and over. */
function notYetDue(now: number): Query {
  return sql`and next_attempt_at > ${now}`;
}
