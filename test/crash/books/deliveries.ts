// What the receiver of webhooks got: nothing that was not committed, in order for each subject, and in the end all of
// it.
import type { Received } from "../receiver.ts";
import type { Query } from "./disk.ts";

interface Delivery {
  readonly id: number;
  readonly subject: string;
  readonly event_id: number;
  readonly raised_at: number;
  readonly state: string;
}

/**
 * Throws unless everything that arrived under `/all` was recorded, the same bytes each time, and each subject's
 * deliveries came in the order in which they were raised. One that comes again comes before any later one.
 */
export async function checkDeliveries(query: Query, hook: number, received: readonly Received[]): Promise<void> {
  const recorded = await query<Delivery>(
    `select id, subject, event_id, raised_at, state from deliveries where subscriber_id = ${hook}`,
  );
  const byId = new Map(recorded.map((row) => [row.id, row]));
  const last = new Map<string, Delivery>();
  const bodies = new Map<number, string>();
  for (const { hook: path, delivery, eventId, body } of received) {
    if (path !== "/all") continue;
    const row = byId.get(delivery);
    if (row?.event_id !== eventId)
      throw new Error(`delivery ${delivery} of event ${eventId} arrived, on disk is ${JSON.stringify(row)}`);
    if ((bodies.get(delivery) ?? body) !== body) throw new Error(`delivery ${delivery} arrived with two bodies`);
    bodies.set(delivery, body);
    const before = last.get(row.subject);
    if (before && (row.raised_at - before.raised_at || row.id - before.id) < 0)
      throw new Error(`delivery ${row.id} of ${row.subject} arrived after ${before.id}, which was raised later`);
    last.set(row.subject, row);
  }
  const unsent = recorded.find(({ id, state }) => state === "delivered" && !bodies.has(id));
  if (unsent) throw new Error(`delivery ${unsent.id} counts as delivered and never arrived`);
  const dead = recorded.find(({ state }) => state === "dead");
  if (dead) throw new Error(`delivery ${dead.id} was given up`);
}

/** How many deliveries to enabled webhooks are still to be sent. */
export async function pendingDeliveries(query: Query): Promise<number> {
  const [row] = await query<{ n: number }>(
    "select count(*) as n from deliveries d join webhooks w on w.id = d.subscriber_id where d.state = 'pending' and w.enabled",
  );
  return Number(row?.n);
}
