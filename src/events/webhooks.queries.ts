// Reading webhooks and their deliveries for the wire.
import { sql, type Reader } from "../db/index.ts";
import { type Caller, type ListQuery, type Page, pageOf, visibleSql } from "../http/index.ts";
import { emptyQueue, DeliveryQueueRows, type DeliveryQueueRow } from "./delivery-queue.entity.ts";
import { DeliveryRows, type DeliveryRow } from "./delivery.entity.ts";
import { WebhookRows, type WebhookRow } from "./webhook.entity.ts";
import type { DeliveryBody, WebhookBody } from "./webhooks.schema.ts";

/** A webhook as it is answered. `pending`: deliveries still to be sent. */
export function webhookView(
  row: Readonly<WebhookRow>,
  queue: Readonly<DeliveryQueueRow>,
  pending: number,
): WebhookBody {
  const { secret, creatorId: _maker, editorId: _editor, reach: _reach, ...shown } = row;
  const { lastStatus, lastDeliveredAt, failing } = queue;
  return { ...shown, secretSet: secret !== "", lastStatus, lastDeliveredAt, pending, failing };
}

export function deliveryView(row: Readonly<DeliveryRow>): DeliveryBody {
  const { id, eventId, event, state, attempts, lastStatus, lastError, deliveredAt } = row;
  // Rounded up: a time that is shown as past has passed.
  const nextAttemptAt = Math.ceil(row.nextAttemptAt / 1000);
  return {
    id,
    eventId,
    event,
    state,
    attempts,
    lastStatus,
    lastError,
    nextAttemptAt,
    createdAt: Math.floor(row.raisedAt / 1000),
    deliveredAt,
  };
}

/** What is shown with a webhook's own row: the state of its deliveries. */
export interface WebhookHealth {
  readonly queue: DeliveryQueueRow;
  readonly pending: number;
}

/** Health of webhooks by id; two queries however many they are. */
export async function healthOf(reads: Reader, ids: readonly number[]): Promise<(id: number) => WebhookHealth> {
  if (ids.length === 0) return (id) => ({ queue: emptyQueue(id), pending: 0 });
  const among = sql`subscriber_id in (${sql.join([...ids])})`;
  const [queues, counts] = await Promise.all([
    reads.rows(DeliveryQueueRows, sql`select * from delivery_queues where ${among}`),
    reads.query<{ subscriber_id: number; pending: number }>(
      sql`select subscriber_id, count(*) as pending from deliveries where ${among} and state = 'pending' group by subscriber_id`,
    ),
  ]);
  const queueById = new Map(queues.map((queue) => [queue.subscriberId, queue]));
  const pendingById = new Map(counts.map((row) => [row.subscriber_id, row.pending]));
  return (id) => ({ queue: queueById.get(id) ?? emptyQueue(id), pending: pendingById.get(id) ?? 0 });
}

/** A page of the webhooks that the caller sees, with their health. */
export async function webhookPage(reads: Reader, list: ListQuery, caller: Caller): Promise<Page<WebhookBody>> {
  const own = visibleSql(caller, sql`creator_id`);
  const where = own ? [own] : [];
  const page = await pageOf(reads, WebhookRows, list, { where });
  const health = await healthOf(
    reads,
    page.rows.map(({ id }) => id),
  );
  const rows = page.rows.map((row) => {
    const { queue, pending } = health(row.id);
    return webhookView(row, queue, pending);
  });
  return { rows, total: page.total };
}

/** A page of one webhook's deliveries. */
export async function deliveryPage(
  reads: Reader,
  list: ListQuery,
  subscriberId: number,
  state: string | undefined,
): Promise<Page<DeliveryBody>> {
  const where = [sql<boolean>`subscriber_id = ${subscriberId}`];
  if (state !== undefined) where.push(sql<boolean>`state = ${state}`);
  const page = await pageOf(reads, DeliveryRows, list, { where });
  return { rows: page.rows.map(deliveryView), total: page.total };
}
