// What other features and the panel use of the fleet.
export { Heartbeats } from "./heartbeats.ts";
export { NodeRows, type NodeRow } from "./node.entity.ts";
export { feature } from "./feature.ts";
