// Nodes around a restore: those that the archive does not know are told to stop, since nobody would count what they
// serve; and local ones of another machine are found, since no agent of this machine is theirs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql, type Reader } from "../../db/index.ts";

/** How long an agent has to answer. */
const STOP_MS = 5000;
/** Agents that are told at a time. */
const AT_ONCE = 32;

export interface FleetNode {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly enabled: boolean;
  readonly isLocal: boolean;
}

export async function nodesOf(reads: Reader): Promise<FleetNode[]> {
  const rows = await reads.query<
    Record<"id" | "port" | "enabled" | "is_local", number> & Record<"name" | "address", string>
  >(sql`select id, name, address, port, enabled, is_local from nodes order by id`);
  return rows.map(({ id, name, address, port, enabled, is_local: isLocal }) => ({
    id,
    name,
    address,
    port,
    enabled: Boolean(enabled),
    isLocal: Boolean(isLocal),
  }));
}

/** Nodes that are switched on and whose agent the other list does not have, by where it is reached. */
export function unknownIn(before: readonly FleetNode[], after: readonly FleetNode[]): FleetNode[] {
  const known = new Set(after.map(placeOf));
  return before.filter((node) => node.enabled && !known.has(placeOf(node)));
}

/** Local nodes whose agent is of another machine: it has no folder here, and this panel did not have it either. */
export function foreignLocals(
  before: readonly FleetNode[],
  after: readonly FleetNode[],
  dataDirectory: string,
): FleetNode[] {
  const own = new Set(before.filter(({ isLocal }) => isLocal).map(({ id }) => id));
  return after.filter(
    ({ id, isLocal, enabled }) =>
      isLocal && enabled && !own.has(id) && !existsSync(join(dataDirectory, "agents", String(id))),
  );
}

/** Tells agents to stop their engines. Resolves to the nodes that could not be told. */
export async function tellToStop(
  nodes: readonly FleetNode[],
  standDown: (nodeId: number, timeoutMs: number) => Promise<boolean>,
): Promise<FleetNode[]> {
  const silent: FleetNode[] = [];
  for (let from = 0; from < nodes.length; from += AT_ONCE) {
    const some = nodes.slice(from, from + AT_ONCE);
    const told = await Promise.all(some.map(({ id }) => standDown(id, STOP_MS).catch(() => false)));
    silent.push(...some.filter((_, index) => told[index] !== true));
  }
  return silent;
}

function placeOf({ address, port }: FleetNode): string {
  return `${address.toLowerCase()} ${port}`;
}
