// Reading webhooks and their deliveries for the wire.
import { sql, type Reader } from "../db/index.ts";
import { type Caller, type ListQuery, notFound, type Page, pageOf, visibleSql, visibleTo } from "../http/index.ts";
import { emptyQueue, DeliveryQueueRows, type DeliveryQueueRow } from "./delivery-queue.entity.ts";
import { WebhookRows, type WebhookRow } from "./webhook.entity.ts";
import type { WebhookBody } from "./webhooks.schema.ts";

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

/** A reseller reaches the webhooks that it added; the others are 404 to it. */
export function admitWebhook(reads: Reader) {
  return async (caller: Caller, { id }: { readonly id: number }): Promise<void> => {
    const row = (await reads.find(WebhookRows, id)) ?? notFound("webhook", id);
    if (!visibleTo(caller, row.creatorId)) notFound("webhook", id);
  };
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
