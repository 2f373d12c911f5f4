// The rule that an agent's address is one node's among those that are switched on (rules nodes.address): looking,
// entering and leaving, as parts of the commit that writes the node.
import { decidedAgainIfTaken, lock, sql, type Committer, type Draft, type Reader } from "../../db/index.ts";
import { refuse, refusedField, ruleSaying } from "../../http/index.ts";
import { hostKey } from "../../lib/addresses.ts";
import { NodeAddressRows } from "../records/node-address.entity.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";

type Addressed = Pick<NodeRow, "address" | "port">;
type Entered = Pick<NodeRow, "id" | "address" | "port" | "enabled">;

/** Nodes in one commit of `enterStoredAddresses`. */
const STEP = 500;

/** One text for all spellings of an address that lead to the same place. Names are not looked up. */
export function agentAddress({ address, port }: Addressed): string {
  return `${hostKey(address)} ${port}`;
}

/** Throws 400 `duplicate` when another node that is switched on has the address. */
export function refuseTakenAddress(draft: Draft, node: Addressed, nodeId: number): void {
  const other = othersAt(draft, node, nodeId);
  if (other === undefined) return;
  const message = `node ${other} has this address and port, and is switched on`;
  refuse("duplicate", {
    message: `address, port: ${message}`,
    field: "address",
    issues: ["address", "port"].map((path) => refusedField(path, ruleSaying(message, "taken_by", other))),
  });
}

/** Throws 409 when a node that is being switched on would share its address. */
export function refuseSharedAddress(draft: Draft, node: Addressed, nodeId: number): void {
  const other = othersAt(draft, node, nodeId);
  if (other !== undefined)
    refuse("conflict", {
      code: "agent_taken",
      message: `node ${other} has the same address and port, and is switched on`,
      field: "enabled",
    });
}

/**
 * Keeps the addresses in line with a node that was written. Nothing is asked here: what an older version left double
 * stays so.
 */
export function enterAddress(draft: Draft, before: Entered | undefined, after: Entered | undefined): void {
  const from = before?.enabled ? agentAddress(before) : undefined;
  const to = after?.enabled ? agentAddress(after) : undefined;
  if (from === to) return;
  if (before && from !== undefined) write(draft, from, (ids) => ids.filter((id) => id !== before.id));
  if (after && to !== undefined) write(draft, to, (ids) => [...ids.filter((id) => id !== after.id), after.id]);
}

/** Carries out a change that enters an address, see `decidedAgainIfTaken`. */
export function enteringAddress<T>(change: () => Promise<T>): Promise<T> {
  return decidedAgainIfTaken(NodeAddressRows, change);
}

/**
 * Adds nodes from an older version or a restore, and removes deleted ones. Runs at the start, before any query.
 */
export async function enterStoredAddresses(commits: Committer, reads: Reader): Promise<void> {
  const [nodes, entered] = await Promise.all([
    reads.query<{ id: number; address: string; port: number }>(
      sql`select id, address, port from nodes where enabled order by id`,
    ),
    reads.rows(NodeAddressRows, sql`select * from node_addresses`),
  ]);
  const ids = new Map(entered.map(({ id, nodeIds }) => [id, new Set(nodeIds)]));
  const left = nodes.filter((node) => !ids.get(agentAddress(node))?.delete(node.id)).map(({ id }) => id);
  const gone = [...ids].flatMap(([address, rest]) => [...rest].map((nodeId) => ({ address, nodeId })));
  for (let start = 0; start < Math.max(left.length, gone.length); start += STEP) {
    const step = { left: left.slice(start, start + STEP), gone: gone.slice(start, start + STEP) };
    const touched = [...step.left, ...step.gone.map(({ nodeId }) => nodeId)];
    await enteringAddress(() =>
      commits.submit({
        name: "nodes.addresses",
        locks: touched.map((id) => lock(NodeRows, id, "read")),
        decide(draft) {
          for (const { address, nodeId } of step.gone) {
            const node = draft.find(NodeRows, nodeId, "read");
            if (!node?.enabled || agentAddress(node) !== address)
              write(draft, address, (all) => all.filter((id) => id !== nodeId));
          }
          for (const id of step.left) enterAddress(draft, undefined, draft.find(NodeRows, id, "read"));
        },
      }),
    );
  }
}

/** The name of another node at the address, quoted. */
function othersAt(draft: Draft, node: Addressed, nodeId: number): string | undefined {
  const other = draft.find(NodeAddressRows, agentAddress(node))?.nodeIds.find((id) => id !== nodeId);
  if (other === undefined) return undefined;
  return JSON.stringify(draft.find(NodeRows, other, "read")?.name ?? String(other));
}

function write(draft: Draft, address: string, change: (nodeIds: readonly number[]) => number[]): void {
  const row = draft.find(NodeAddressRows, address);
  const nodeIds = change(row?.nodeIds ?? []);
  if (!row) {
    if (nodeIds.length > 0) draft.insert(NodeAddressRows, { id: address, nodeIds });
  } else if (nodeIds.length === 0) draft.delete(NodeAddressRows, address);
  else draft.update(NodeAddressRows, address, { nodeIds });
}
