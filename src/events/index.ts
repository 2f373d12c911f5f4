// Events: the catalogue, webhooks and their delivery. What other parts use of it.
export type { ListenerOf } from "./audience.ts";
export { Catalogue } from "./catalogue.ts";
export { eventEntities, openEvents, type Events, type EventsDeps } from "./events.ts";
export { feature } from "./feature.ts";
export { Subscribers } from "./subscribers.ts";
export { WebhookRows } from "./webhook.entity.ts";
