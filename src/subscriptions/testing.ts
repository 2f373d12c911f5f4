// What tests use of this room, and no other room does.
export { inlineCertificate } from "./delivery/inline-certificate.ts";
export { subscriptionPlugin, type Subscriptions } from "./delivery/subscription.routes.ts";
export type { EntryNode, NodeStanding } from "./serving-fleet.ts";
export { subscriptionsRoutes } from "./routes.ts";
