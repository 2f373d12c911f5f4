// Webhooks and deliveries on the wire (rules events.webhook).
import { z } from "zod";
import { count, line, rule, unixTime } from "../http/index.ts";
import { isFilterEntry } from "./catalogue.ts";

const filter = z.string().refine(isFilterEntry, rule("event_filter"));

const fields = {
  name: line(128).min(1),
  /** Checked further by the guarded client's own rules. */
  url: z.string().min(1).max(2048),
  secret: z.string().max(256),
  events: z.array(filter).max(256),
  ownOnly: z.boolean(),
  adminId: count,
  enabled: z.boolean(),
};

/** Body of a create. */
export const WebhookCreate = z.object({ ...z.object(fields).partial().shape, name: fields.name, url: fields.url }).meta({
  id: "WebhookCreate",
  description: "An absent or empty `events` hears everything; an absent or empty `secret` leaves deliveries unsigned.",
});
export type WebhookCreateBody = z.output<typeof WebhookCreate>;

/** Body of a PUT: absent fields keep their value, and so does an empty `secret`. */
export const WebhookUpdate = z.object(fields).partial().meta({ id: "WebhookUpdate" });
export type WebhookUpdateBody = z.output<typeof WebhookUpdate>;

/** A webhook as it is answered; its secret never is. */
export const WebhookView = z
  .object({
    id: count,
    name: z.string(),
    url: z.string(),
    secretSet: z.boolean(),
    events: z.array(z.string()),
    ownOnly: z.boolean(),
    adminId: count,
    enabled: z.boolean(),
    lastStatus: count.describe("HTTP status of the last attempt; 0 = not answered or never tried"),
    lastDeliveredAt: unixTime.describe("0 = never"),
    pending: count.describe("deliveries still to be sent"),
    failing: z.boolean().describe("the last attempt failed"),
    createdAt: unixTime,
    updatedAt: unixTime,
  })
  .meta({ id: "Webhook" });
export type WebhookBody = z.input<typeof WebhookView>;

/** One delivery as it is answered. */
export const DeliveryView = z
  .object({
    id: count,
    eventId: count,
    event: z.string(),
    state: z.enum(["pending", "delivered", "dead"]),
    attempts: count,
    lastStatus: count,
    lastError: z.string(),
    nextAttemptAt: unixTime.describe("0 unless pending"),
    createdAt: unixTime,
    deliveredAt: unixTime.describe("0 = never"),
  })
  .meta({ id: "WebhookDelivery" });
export type DeliveryBody = z.input<typeof DeliveryView>;
