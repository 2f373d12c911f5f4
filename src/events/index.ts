// Events: the catalogue, webhooks and their delivery. What other parts use of it.
export { feature } from "./feature.ts";
