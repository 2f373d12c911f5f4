// The panel's end of a connection to an agent, which may say anything: bounded, with what is large read on a thread of
// its own.
import type { WebSocket } from "ws";
import type { FrameThread } from "../../protocol/frame-thread.ts";
import { agentMethods, type panelMethods } from "../../protocol/messages.ts";
import type { Handlers, RpcPeer } from "../../protocol/peer-contract.ts";
import { createPeer } from "../../protocol/peer.ts";
import { AGENT_LIMITS } from "./agent-limits.ts";

export type AgentPeer = RpcPeer<typeof panelMethods>;

const CALL_MS = 15_000;

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
