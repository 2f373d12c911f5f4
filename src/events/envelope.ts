// The body and headers of a delivery (rules events.envelope).
import { createHmac } from "node:crypto";
import type { EventRow } from "../runtime/index.ts";

/** The fields of an event that its envelope needs. */
export type EnvelopeSource = Pick<EventRow, "id" | "event" | "time" | "data" | "adminId">;

/**
 * The envelope as JSON text. It follows from the stored event alone and carries `data` as it was stored, so that every
 * retry and every subscriber gets the same bytes.
 */
export function envelopeText({ id, event, time, data, adminId }: EnvelopeSource): string {
  const recipients = adminId !== null && adminId > 0 ? `,"recipients":[${adminId}]` : "";
  return `{"v":1,"id":${id},"event":${JSON.stringify(event)},"time":${time},"data":${data}${recipients}}`;
}

/** `t=<time>,v1=<hex>`: HMAC-SHA256 over the time, a dot and the body. `time` is in Unix seconds. */
export function signature(secret: string, time: number, body: Uint8Array): string {
  const digest = createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex");
  return `t=${time},v1=${digest}`;
}

export interface DeliveryHeading {
  readonly deliveryId: number;
  readonly event: string;
  /** Undefined: the subscriber has none, and the delivery carries no signature. */
  readonly secret: string | undefined;
  /** Unix seconds of this attempt. */
  readonly time: number;
}

/** Headers of one attempt. */
export function deliveryHeaders(heading: DeliveryHeading, body: Uint8Array): Record<string, string> {
  const { secret, time } = heading;
  return headersWith(heading, secret === undefined ? undefined : signature(secret, time, body));
}

/** The same for people: with the signature itself somebody could send the body once more in the panel's name. */
export function shownHeaders({
  signed,
  ...heading
}: Omit<DeliveryHeading, "secret"> & { readonly signed: boolean }): Record<string, string> {
  return headersWith(heading, signed ? `t=${heading.time},v1=[redacted]` : undefined);
}

function headersWith(
  { deliveryId, event }: Pick<DeliveryHeading, "deliveryId" | "event">,
  signed: string | undefined,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "panel",
    "x-panel-event": event,
    "x-panel-delivery": String(deliveryId),
    ...(signed === undefined ? {} : { "x-panel-signature": signed }),
  };
}
