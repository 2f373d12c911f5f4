// What other features and the composition root use of the fleet.
export { takeFence } from "./fence.ts";
export { Fleet, type FleetOptions } from "./fleet.ts";
export { loadLinkIdentity, type LinkIdentity } from "./identity.ts";
export { liveRoutes } from "./live.routes.ts";
export { LocalAgents, type LocalAgentOptions } from "./local-agent.ts";
export { defineNodeActor, type NodeActor } from "./node.actor.ts";
export { LinkIdentityRows, NodeRows, NodeUsageRows, UsageCursorRows, type NodeRow } from "./node.entity.ts";
export { nodesRouting, nodesRunning, templateOfNode } from "./node.queries.ts";
export { nodeRoutes } from "./node.routes.ts";
export { ServingNodes, type ServingNode } from "./serving-nodes.ts";
export { usageStatements, type NodeBatch } from "./usage.ts";
import { LinkIdentityRows, NodeRows, NodeUsageRows, UsageCursorRows } from "./node.entity.ts";

/** Tables of the fleet. */
export const fleetEntities = [NodeRows, NodeUsageRows, UsageCursorRows, LinkIdentityRows] as const;
