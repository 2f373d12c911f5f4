// Webhooks and deliveries on the wire (rules events.webhook).
import { z } from "zod";
import { count, line, rule, unixTime, version } from "../http/index.ts";
import type { Catalogue } from "./catalogue.ts";

/** Bodies of a create and of a PUT: a filter names events of the catalogue. */
export function webhookBodies(catalogue: Catalogue) {
  const filter = z.string().refine((entry) => catalogue.isFilterEntry(entry), rule("event_filter"));
  const fields = {
    name: line(128).min(1),
    /** Checked further by the guarded client's own rules. */
    url: line(2048).min(1),
    secret: z.string().max(256),
    events: z.array(filter).max(256),
    ownOnly: z.boolean(),
    adminId: count,
    enabled: z.boolean(),
  };
  const WebhookCreate = z.object({ ...z.object(fields).partial().shape, name: fields.name, url: fields.url }).meta({
    id: "WebhookCreate",
    description:
      "An absent or empty `events` hears everything; an absent or empty `secret` leaves deliveries unsigned.",
  });
  // Absent fields keep their value, and so does an empty `secret`.
  const WebhookUpdate = z
    .object({ ...fields, version })
    .partial()
    .meta({ id: "WebhookUpdate" });
  return { WebhookCreate, WebhookUpdate };
}
type Bodies = ReturnType<typeof webhookBodies>;
export type WebhookCreateBody = z.output<Bodies["WebhookCreate"]>;
export type WebhookUpdateBody = z.output<Bodies["WebhookUpdate"]>;

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
