// What the panel uses of the health of nodes.
export { feature } from "./feature.ts";
