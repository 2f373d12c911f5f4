// What the panel uses of subscriptions.
export { feature } from "./feature.ts";
