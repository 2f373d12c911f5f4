// The webhooks in memory, and who of them hears an event: deliveries are recorded in the event's own change.
//
// Invariant: the list agrees with every commit that was announced, whichever process's it is.
import type { Committed, Draft, Reader } from "../db/index.ts";
import { sql } from "../db/index.ts";
import type { Deliveries, EventRow } from "../runtime/index.ts";
import { hears, type ListenerOf } from "./audience.ts";
import { type Catalogue, PING } from "./catalogue.ts";
import { DeliveryRows } from "./delivery.entity.ts";
import { WebhookRows, type WebhookRow } from "./webhook.entity.ts";

export class Subscribers {
  readonly #catalogue: Catalogue;
  readonly #webhooks = new Map<number, WebhookRow>();
  /** While `load` reads: what commits changed. */
  #followed: Map<number, WebhookRow | undefined> | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * Reads all webhooks; what a commit wrote meanwhile stays as the commit left it. To be awaited before the first event
   * is raised.
   */
  async load(reads: Reader): Promise<void> {
    const followed = new Map<number, WebhookRow | undefined>();
    this.#followed = followed;
    const rows = await reads.rows(WebhookRows, sql`select * from webhooks order by id`);
    this.#followed = undefined;
    for (const row of rows) if (!followed.has(row.id)) this.#webhooks.set(row.id, row);
  }

  /** Follows commits. */
  follow({ changes }: Committed): void {
    for (const { table, id, after } of changes) {
      if (table !== WebhookRows.name) continue;
      this.#followed?.set(Number(id), after as WebhookRow | undefined);
      if (after) this.#webhooks.set(Number(id), after as WebhookRow);
      else this.#webhooks.delete(Number(id));
    }
  }

  get(id: number): WebhookRow | undefined {
    return this.#webhooks.get(id);
  }

  /** Records deliveries of events, by what the accounts behind the webhooks may hear. */
  heardBy(listenerOf: ListenerOf): Deliveries {
    return { record: (draft, event) => this.#record(draft, event, listenerOf) };
  }

  /**
   * Inserts a pending delivery for every webhook that hears the event. Throws for an event that the catalogue does not
   * know.
   */
  #record(draft: Draft, event: EventRow, listenerOf: ListenerOf): void {
    if (!this.#catalogue.get(event.event)) throw new Error(`event ${event.event} is not in the catalogue`);
    for (const subscriberId of this.#audienceOf(event, listenerOf)) {
      draft.insert(DeliveryRows, {
        id: draft.nextId(DeliveryRows.name),
        subscriberId,
        eventId: event.id,
        event: event.event,
        subject: event.subject,
        raisedAt: draft.now,
        state: "pending",
        attempts: 0,
        nextAttemptAt: draft.now,
        lastStatus: 0,
        lastError: "",
        deliveredAt: 0,
        exchange: null,
      });
    }
  }

  #audienceOf(event: EventRow, listenerOf: ListenerOf): number[] {
    if (event.event === PING) return [pingedSubscriber(event)];
    return [...this.#webhooks.values()]
      .filter((webhook) => hears(this.#catalogue, webhook, event, listenerOf))
      .map(({ id }) => id);
  }
}

/** The one subscriber of a ping, as its payload says. */
function pingedSubscriber({ data }: EventRow): number {
  const payload: unknown = JSON.parse(data);
  if (
    typeof payload === "object" &&
    payload !== null &&
    "subscriberId" in payload &&
    typeof payload.subscriberId === "number"
  )
    return payload.subscriberId;
  throw new Error(`${PING} needs a subscriberId`);
}
