// Reading deliveries for the wire, and who may see what was sent.
import { sql, type Reader } from "../db/index.ts";
import { type Caller, type ListQuery, notFound, type Page, pageOf } from "../http/index.ts";
import { EventRows, type EventRow } from "../runtime/index.ts";
import { mayHear } from "./audience.ts";
import { type Catalogue, PING } from "./catalogue.ts";
import type { DeliveryBody, DeliveryDetailBody } from "./deliveries.schema.ts";
import { DeliveryRows, type DeliveryRow } from "./delivery.entity.ts";
import { envelopeText, shownHeaders } from "./envelope.ts";

export function deliveryView(row: Readonly<DeliveryRow>): DeliveryBody {
  const { id, eventId, event, state, attempts, lastStatus, lastError, deliveredAt, exchange } = row;
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
    lastFailure: lastError === "" ? null : (exchange?.failure ?? null),
    nextAttemptAt,
    createdAt: Math.floor(row.raisedAt / 1000),
    deliveredAt,
  };
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

export interface Viewing {
  readonly reads: Reader;
  readonly catalogue: Catalogue;
  /** The setting `webhook_allow_private`, as it is now. */
  readonly allowPrivate: () => boolean;
}

/**
 * One delivery of a webhook with the last request and its response. A caller reads here only events that they may also
 * receive. While private targets are allowed, a response may come from any service near the panel, so only main admins
 * see its body.
 */
export async function deliveryDetail(
  { reads, catalogue, allowPrivate }: Viewing,
  caller: Caller,
  { id, delivery }: { readonly id: number; readonly delivery: number },
): Promise<DeliveryDetailBody> {
  const row = await reads.find(DeliveryRows, delivery);
  if (row?.subscriberId !== id) return notFound("delivery", delivery);
  const event = await reads.find(EventRows, row.eventId);
  const heard = event !== undefined && (row.event === PING || mayHear(catalogue, caller, caller.adminId, event));
  const answerShown = heard && (!allowPrivate() || caller.base === "sudo");
  const { exchange } = row;
  return {
    ...deliveryView(row),
    request: heard ? requestOf(row, event) : null,
    response:
      exchange && row.lastStatus > 0
        ? {
            status: row.lastStatus,
            ms: exchange.ms,
            ...(answerShown ? { headers: { ...exchange.headers }, body: exchange.body } : { headers: {}, body: "" }),
          }
        : null,
    withheld: event !== undefined && (!heard || !answerShown),
  };
}

/** What was sent last, or will be sent first. */
function requestOf(
  { id, exchange }: Readonly<DeliveryRow>,
  event: EventRow,
): NonNullable<DeliveryDetailBody["request"]> {
  const heading = { deliveryId: id, event: event.event, time: exchange?.at ?? 0, signed: exchange?.signed === true };
  return { headers: shownHeaders(heading), body: envelopeText(event) };
}
