// A webhook and its deliveries as the API answers them, and what their states come down to.
import type { z } from "zod";
import type { DeliveryDetail as DeliveryDetailView, DeliveryView } from "../../events/deliveries.schema.ts";
import type { WebhookUpdateBody, WebhookView } from "../../events/webhooks.schema.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";
import type { Tone } from "../parts/tone.ts";

export type Webhook = z.output<typeof WebhookView>;
export type Delivery = z.output<typeof DeliveryView>;
export type DeliveryDetail = z.output<typeof DeliveryDetailView>;
export type WebhookBody = Pick<WebhookUpdateBody, "name" | "url" | "ownOnly" | "adminId" | "enabled" | "events">;

export const WEBHOOKS: RecordKind<Webhook> = {
  list: "/webhooks",
  name: ({ name }) => name,
  touches: (id) => [`/webhooks/${id}/deliveries`],
};

export type WebhookStanding = "off" | "failing" | "idle" | "ok";

export function standingOf({ enabled, failing, lastDeliveredAt }: Webhook): WebhookStanding {
  if (!enabled) return "off";
  if (failing) return "failing";
  return lastDeliveredAt === 0 ? "idle" : "ok";
}

export const WEBHOOK_TONES: Readonly<Record<WebhookStanding, Tone>> = {
  off: "off",
  failing: "failed",
  idle: "waiting",
  ok: "ok",
};

export const DELIVERY_STATES = ["pending", "delivered", "dead"] as const;
export const DELIVERY_TONES: Readonly<Record<Delivery["state"], Tone>> = {
  pending: "waiting",
  delivered: "ok",
  dead: "failed",
};

/** A key for signatures: 32 random bytes in hex. */
export function newSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (b) => crypto.getRandomValues(b)) {
  return [...random(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
