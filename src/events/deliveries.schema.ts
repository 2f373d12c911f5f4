// Deliveries on the wire (rules events.delivery, events.resend).
import { z } from "zod";
import { DeliveryFailure } from "./delivery-failure.schema.ts";
import { count, ruleSaying, unixTime } from "../http/index.ts";

export const DELIVERY_STATES = ["pending", "delivered", "dead"] as const;

/** One delivery as it is answered. */
export const DeliveryView = z
  .object({
    id: count,
    eventId: count,
    event: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: count,
    lastStatus: count,
    lastError: z.string(),
    lastFailure: DeliveryFailure.nullable(),
    nextAttemptAt: unixTime.describe("0 unless pending"),
    createdAt: unixTime,
    deliveredAt: unixTime.describe("0 = never"),
  })
  .meta({ id: "WebhookDelivery" });
export type DeliveryBody = z.input<typeof DeliveryView>;

const headers = z.record(z.string(), z.string());

/** One delivery with what was sent last and what came back. */
export const DeliveryDetail = DeliveryView.extend({
  request: z.object({ headers, body: z.string() }).nullable(),
  response: z.object({ status: count, headers, body: z.string(), ms: count }).nullable(),
  withheld: z.boolean(),
}).meta({ id: "WebhookDeliveryDetail" });
export type DeliveryDetailBody = z.input<typeof DeliveryDetail>;

/** Deliveries of one request by id. */
const MOST = 1000;

/** Which deliveries to send again: some, or all in a state. */
export const ResendBody = z
  .object({ ids: z.array(count).min(1).max(MOST).optional(), state: z.enum(DELIVERY_STATES).optional() })
  .refine(({ ids, state }) => (ids === undefined) !== (state === undefined), {
    path: ["ids"],
    ...ruleSaying("is needed, or `state` instead of it", "required", "array"),
  })
  .meta({ id: "WebhookResend", description: "Either some deliveries by their ids, or all in a state." });
export type ResendFields = z.output<typeof ResendBody>;
