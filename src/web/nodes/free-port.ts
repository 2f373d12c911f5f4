// The port that is proposed for another agent: the first one, counted from where agents usually listen, that no node has at that address.
import { AGENT_PORT, type Node } from "./node.ts";

const LAST_PORT = 65_535;

/** `nodes`: all of them, or as many as are known. Only a proposal: the panel refuses one that is taken. */
export function freePort(nodes: readonly Pick<Node, "address" | "port">[], address: string): number {
  const taken = new Set(nodes.filter((node) => node.address === address).map(({ port }) => port));
  for (let port = AGENT_PORT; port <= LAST_PORT; port++) if (!taken.has(port)) return port;
  return AGENT_PORT;
}
