// What other features and the panel use of the fleet.
export { Heartbeats } from "./live/heartbeats.ts";
export { NodeRows, type NodeRow } from "./records/node.entity.ts";
export { feature } from "./feature.ts";
