// What tests use of this room, and no other room does.
export { Fleet } from "./fleet.ts";
export { type Said } from "./heartbeats.ts";
export { loadLinkIdentity, type LinkIdentity } from "./identity.ts";
export { LocalAgents } from "./local-agent.ts";
export { defineNodeActor } from "./node.actor.ts";
export { freshCounters, NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "./node.entity.ts";
export { usageStatements, type NodeBatch } from "./usage-statements.ts";
export { fleetEntities } from "./entities.ts";
