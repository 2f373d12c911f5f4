// A node as the API answers it, and the four words that its states come down to.
import type { z } from "zod";
import type { NodeView, NodeWrite } from "../../fleet/nodes/node.schema.ts";

export type Node = z.output<typeof NodeView>;
/** What a person may write. */
export type NodeBody = z.input<typeof NodeWrite>;
export type NodeStatus = Node["status"];

export const NODE_STATUSES: readonly NodeStatus[] = ["connected", "connecting", "error", "disabled"];

/** The wire's status of a state of the node chart (`machines/node.ts`; a test holds them together). */
export function nodeStatusOf(state: string): NodeStatus {
  if (state === "linked.connected") return "connected";
  if (state.startsWith("disabled.")) return "disabled";
  return state.startsWith("error.") || state.startsWith("linked.refused.") ? "error" : "connecting";
}

/** Whether the panel is connected to its agent; an engine that refuses a configuration leaves that as it is. */
export function hasConnection(state: string): boolean {
  return state === "linked.connected" || state.startsWith("linked.refused.");
}

/** How many nodes are in each status, from the counts of their states. */
export function statusCounts(states: Readonly<Record<string, number>>): Readonly<Record<NodeStatus, number>> {
  const counts = { connected: 0, connecting: 0, error: 0, disabled: 0 };
  for (const [state, number] of Object.entries(states)) counts[nodeStatusOf(state)] += number;
  return counts;
}

/** The filter of `/actors` that picks the states of a status. */
export function statesOf(status: NodeStatus): string {
  return {
    connected: "linked.connected",
    connecting: "linked.connecting.*",
    error: "error.*,linked.refused.*",
    disabled: "disabled.*",
  }[status];
}

/** Where agents usually listen for the panel. */
export const AGENT_PORT = 7443;
/** Where the panel reaches the agents that it runs itself. */
export const LOCAL_ADDRESS = "127.0.0.1";
