// What an agent runs, asked of the agent itself: a read-only link with the panel's own identity, beside the panel's.
import { join } from "node:path";
import { openDatabase } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { dialAgent } from "../../src/fleet/link/dial.ts";
import { loadLinkIdentity, type LinkIdentity } from "../../src/fleet/testing.ts";
import { findKey } from "../../src/lib/seal.ts";
import { agentMethods, PROTOCOL_VERSION } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";

/** The panel's identity towards agents, read from its database while it runs. */
export async function identityOf(directory: string, databaseUrl: string): Promise<LinkIdentity> {
  const key = findKey({ file: join(directory, "secret.key") });
  if (!key) throw new Error("the panel has no key file");
  const onListenerError = (error: unknown) => {
    throw error;
  };
  const database = await openDatabase({ url: databaseUrl, entities, now: Date.now, onListenerError });
  try {
    return await loadLinkIdentity(database.reads, database.commits, key, Date.now());
  } finally {
    await database.close();
  }
}

export interface AgentView {
  /** Digests of the agent's 256 buckets of users. */
  buckets(): Promise<readonly string[]>;
  close(): void;
}

export async function viewAgent(identity: LinkIdentity, address: string, port: number): Promise<AgentView> {
  const { socket } = await dialAgent(identity, { address, port }, "", AbortSignal.timeout(60_000));
  const peer = createPeer({
    socket,
    handles: agentMethods,
    handlers: { heartbeat: () => null, usage: () => ({ acknowledged: 0 }) },
    timeoutMs: 10_000,
    onProblem: () => undefined,
  });
  await peer.call("hello", { protocol: PROTOCOL_VERSION, panelVersion: "test", nodeId: 1, fence: 1, readOnly: true });
  return {
    buckets: async () => (await peer.call("state.digests", {})).buckets,
    close: () => peer.close(1000, "seen enough"),
  };
}
