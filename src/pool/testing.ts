// What tests use of this room, and no other room does.
export { parseInboundConfig } from "./dialect/inbound.ts";
export { DepartureRows, type DepartureRow } from "./departure.entity.ts";
export { poolEntities } from "./routes.ts";
