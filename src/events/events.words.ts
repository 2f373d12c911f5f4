// What the description of the API says of webhooks and events.
import type { Words } from "../http/index.ts";

const event = { says: "The event's name.", choices: "events" } as const;

export const eventsWords: Words = {
  WebhookUpdate: "Fields of a webhook. What is left out is kept.",
  url: "Where deliveries are sent: an absolute http(s) address.",
  secret: "The key of the signature. Empty: deliveries are not signed; in a change: it is kept.",
  secretSet: "Whether deliveries are signed.",
  events: "Events that it hears: names, or families as `user.*`. None: every one.",
  ownOnly: "Whether it hears of its own account's users alone.",
  "Webhook.adminId": "The account whose rights it hears with.",
  "WebhookCreate.adminId": "The account whose rights it hears with; 0 or left out: the caller.",
  "WebhookUpdate.adminId": "The account whose rights it hears with; kept where it is left out.",
  "WebhookDelivery.eventId": "The event's id.",
  "WebhookDelivery.event": event,
  "WebhookDelivery.state": "`pending`: still to be sent; `delivered`; `dead`: given up.",
  "WebhookDelivery.attempts": "Attempts so far.",
  lastStatus: "HTTP status of the last attempt; 0: not answered, or never tried.",
  "listWebhookDeliveries.state": "Deliveries in this state alone.",
  "resendWebhookDelivery.delivery": "The delivery's id.",
  "EventCatalogue.events": "Every event.",
  "events.name": event,
  family: { says: "What the event is about.", choices: ["user", "node", "admin", "panel"] },
  "events.scope": "What a listener must hold; empty: nothing.",
  "events.description": "When it is raised.",
  fields: "The members of `data`.",
  "fields.name": "The member's name.",
  "fields.type": {
    says: "The member's type.",
    choices: ["integer", "string", "boolean", "integer[]", "string[]", "object"],
  },
  "EventEnvelope.event": event,
  "EventEnvelope.id": "Names the event: the same in every delivery of it.",
  time: "Unix seconds at which it happened.",
  data: "What happened; its members follow from `event`.",
  recipients: "Accounts that it concerns; absent: it concerns the panel.",
  "listEvents.event": "Events of this name alone.",
  subscriberId: "The webhook's id.",
  by: "Who asked for it.",
};
