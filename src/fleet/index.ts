// What other features and the panel use of the fleet.
export { FLEET_FACTS } from "./errands.ts";
export { Fleet, type FleetOptions } from "./fleet.ts";
export { Heartbeats, type Said } from "./heartbeats.ts";
export { loadLinkIdentity, sealedUnder, type LinkIdentity } from "./identity.ts";
export { liveRoutes } from "./live.routes.ts";
export { Confinement, type ConfinementOptions } from "./confinement.ts";
export { LocalAgents, type LocalAgentOptions } from "./local-agent.ts";
export { defineNodeActor, type NodeActor } from "./node.actor.ts";
export {
  freshCounters,
  LinkIdentityRows,
  NodeLiveRows,
  NodeRows,
  NodeUsageRows,
  UsageCursorRows,
  UsageRefusalRows,
  type NodeRow,
} from "./node.entity.ts";
export { enterStoredAddresses } from "./node-addresses.ts";
export { nodesForbidden, nodesOn, nodesRouting, templateOfNode } from "./node.queries.ts";
export { nodeRoutes } from "./node.routes.ts";
export { ServingNodes, type ServingNode } from "./serving-nodes.ts";
export { usageStatements, type NodeBatch } from "./usage-statements.ts";
export { feature } from "./feature.ts";
export { fleetEntities } from "./entities.ts";
