// What tests use of this room, and no other room does.
export type { ListenerOf } from "./audience.ts";
export { Catalogue } from "./catalogue.ts";
export { eventEntities, openEvents, type Events, type EventsDeps } from "./events.ts";
export { Subscribers } from "./subscribers.ts";
