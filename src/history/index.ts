// The history of traffic: the door of the room.
export { feature } from "./feature.ts";
export { historyEntities } from "./history.entity.ts";
export * from "./questions.ts";
export { recordTraffic } from "./record.ts";
export { listOf } from "./stored.queries.ts";
export * from "./traffic.schema.ts";
