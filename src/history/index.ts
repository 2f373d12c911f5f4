// The history of traffic: the door of the room.
export { feature } from "./feature.ts";

export * from "./traffic-questions.ts";
export { listOf } from "./stored.queries.ts";
export * from "./traffic.schema.ts";
