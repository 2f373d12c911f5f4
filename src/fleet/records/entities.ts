// Every table of the fleet.
import { AgentHolderRows } from "./agent-holder.entity.ts";
import { NodeAddressRows } from "./node-address.entity.ts";
import {
  LinkIdentityRows,
  NodeLiveRows,
  NodeProgressRows,
  NodeRows,
  NodeUsageRows,
  UsageCursorRows,
  UsageLedgerRows,
  UsageRefusalRows,
} from "./node.entity.ts";

/** Tables of the fleet. */
export const fleetEntities = [
  NodeRows,
  NodeAddressRows,
  AgentHolderRows,
  NodeUsageRows,
  NodeLiveRows,
  NodeProgressRows,
  UsageCursorRows,
  UsageLedgerRows,
  UsageRefusalRows,
  LinkIdentityRows,
] as const;
