// Ports that are proposed: the first one, counted from the usual, that nothing has which the panel knows of. Only
// proposals: the panel refuses one that is taken.
import { AGENT_PORT, type Node } from "./node.ts";

/** Where clients of a first server usually connect. */
const CLIENT_PORT = 8443;
const LAST_PORT = 65_535;

/** For another agent at an address. `nodes`: all of them, or as many as are known. */
export function freePort(nodes: readonly Pick<Node, "address" | "port">[], address: string): number {
  return firstFree(
    AGENT_PORT,
    nodes.filter((node) => node.address === address).map(({ port }) => port),
  );
}

/** An inbound as far as ports go. */
export interface Listening {
  readonly config: { readonly listen_port?: number };
}

/** For another inbound: one machine may serve them all. */
export function freeClientPort(inbounds: readonly Listening[]): number {
  return firstFree(
    CLIENT_PORT,
    inbounds.map(({ config }) => config.listen_port ?? 0),
  );
}

function firstFree(usual: number, ports: readonly number[]): number {
  const taken = new Set(ports);
  for (let port = usual; port <= LAST_PORT; port++) if (!taken.has(port)) return port;
  return usual;
}
