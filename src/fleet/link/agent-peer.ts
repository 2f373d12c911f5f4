// The panel's end of a connection to an agent, which may say anything: bounded, with what is large read on a thread of
// its own.
import type { WebSocket } from "ws";
import type { FrameThread } from "../../protocol/frame-thread.ts";
import { OWN_ABILITIES } from "../../protocol/abilities.ts";
import {
  agentMethods,
  HELLO_BYTES,
  PROTOCOL_VERSION,
  type panelMethods,
  type PanelParams,
  type PanelResult,
} from "../../protocol/messages.ts";
import type { Handlers, PeerLimits, RpcPeer } from "../../protocol/peer-contract.ts";
import { createPeer } from "../../protocol/peer.ts";

export type AgentPeer = RpcPeer<typeof panelMethods>;

const CALL_MS = 15_000;

/**
 * What a panel takes from an agent: how much, how fast, and how many wrong messages. An agent sends one batch of usage
 * at a time and sends a heartbeat every ten seconds. A node of 10,000 users who are all active sends some 250 kB a
 * second; a ledger that waited for days comes at this rate. A larger message is read at once, and its time is waited
 * after it.
 */
const AGENT_LIMITS: Partial<PeerLimits> = {
  handling: 8,
  protocolErrors: 3,
  firstBytes: HELLO_BYTES,
  bytesPerSecond: 1024 * 1024,
  burstBytes: 2 * 1024 * 1024,
};

export interface AgentPeerOptions {
  readonly socket: WebSocket;
  readonly frames: FrameThread;
  readonly handlers: Handlers<typeof agentMethods>;
  readonly onProblem?: (problem: string, error?: unknown) => void;
}

export function agentPeer({ socket, frames, handlers, onProblem }: AgentPeerOptions): AgentPeer {
  return createPeer({
    socket,
    handles: agentMethods,
    handlers,
    timeoutMs: CALL_MS,
    limits: AGENT_LIMITS,
    reader: frames.reader(),
    ...(onProblem ? { onProblem } : {}),
  });
}

/** The first call on every connection. From its answer on, the peer knows what the agent understands. */
export async function greet(
  peer: AgentPeer,
  as: Omit<PanelParams<"hello">, "protocol" | "abilities">,
): Promise<PanelResult<"hello">> {
  const answer = await peer.call("hello", { ...as, protocol: PROTOCOL_VERSION, abilities: [...OWN_ABILITIES] });
  peer.named(answer.abilities);
  return answer;
}
