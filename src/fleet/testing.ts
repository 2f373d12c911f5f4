// What tests use of this room, and no other room does.
export { Fleet } from "./live/fleet.ts";
export { type Said } from "./live/heartbeats.ts";
export { loadLinkIdentity, type LinkIdentity } from "./link/identity.ts";
export { LocalAgents } from "./local/local-agent.ts";
export { defineNodeActor } from "./nodes/node.actor.ts";
export { freshCounters, NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "./records/node.entity.ts";
export { usageStatements, type NodeBatch } from "./usage/usage-statements.ts";
export { fleetEntities } from "./records/entities.ts";
