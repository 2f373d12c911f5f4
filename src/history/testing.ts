// What tests use of this room, and no other room does.
export { historyEntities } from "./history.entity.ts";
export { recordTraffic } from "./record.ts";
