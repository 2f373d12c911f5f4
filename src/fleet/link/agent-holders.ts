// The rule that an agent serves one node: the first that reached it has it until it is switched off, moved or deleted,
// by whatever names and addresses others reach it.
//
// An agent is identified by its id together with its key. An agent that claims another one's id does not have that key,
// so it counts as a different agent and blocks nobody.
import { decidedAgainIfTaken, lock, sql, type Committer, type Draft, type Reader } from "../../db/index.ts";
import { AgentHolderRows } from "../records/agent-holder.entity.ts";
import { cause, LinkFailure } from "./link-failure.ts";
import { NodeRows } from "../records/node.entity.ts";

export interface AgentHolderPorts {
  readonly commits: Committer;
  readonly reads: Reader;
}

/** The agent serves another node. */
export class DuplicateAgent extends LinkFailure {
  override readonly name = "DuplicateAgent";
  readonly holder: number;
  constructor(holder: number, name: string, address: string) {
    super(
      cause("duplicate", holder, name, address),
      `this agent serves node ${JSON.stringify(name)} (${address}) already: switch that node off, move it, or delete this one`,
    );
    this.holder = holder;
  }
}

/** `fingerprint`: of the key that answered. */
export function agentKey(fingerprint: string, agentId: string): string {
  return `${fingerprint} ${agentId}`;
}

/** The id of the agent that a node has, if that one's key answers; empty where it has none. */
export async function heldAgent({ reads }: AgentHolderPorts, nodeId: number, fingerprint: string): Promise<string> {
  const rows = await reads.rows(AgentHolderRows, sql`select * from agent_holders where node_id = ${nodeId}`);
  const prefix = agentKey(fingerprint, "");
  return rows.find(({ id }) => id.startsWith(prefix))?.id.slice(prefix.length) ?? "";
}

/** Gives an agent to a node. Rejects with `DuplicateAgent` when another one that is switched on has it. */
export async function holdAgent(
  { commits }: AgentHolderPorts,
  nodeId: number,
  fingerprint: string,
  agentId: string,
): Promise<void> {
  const key = agentKey(fingerprint, agentId);
  await decidedAgainIfTaken(AgentHolderRows, () =>
    commits.submit({
      name: "agents.hold",
      locks: [lock(AgentHolderRows, key), lock(NodeRows, nodeId, "read")],
      decide(draft) {
        // Its link is about to end.
        if (!draft.find(NodeRows, nodeId, "read")?.enabled) return;
        const held = draft.find(AgentHolderRows, key);
        if (held?.nodeId === nodeId) return;
        const other = held && draft.find(NodeRows, held.nodeId, "read");
        if (other?.enabled) throw new DuplicateAgent(other.id, other.name, `${other.address}:${other.port}`);
        releaseAgent(draft, nodeId);
        if (held) draft.update(AgentHolderRows, key, { nodeId });
        else draft.insert(AgentHolderRows, { id: key, nodeId });
      },
    }),
  );
}

/** A node releases its agent: the next node that reaches it gets it. */
export function releaseAgent(draft: Draft, nodeId: number): void {
  draft.purge(AgentHolderRows, { nodeId });
}
