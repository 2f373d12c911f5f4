// What stands behind the links of a node: an engine with its files on disk, or one node of a simulated fleet. Links
// speak the protocol, this carries it out.
import type {
  AppliedState,
  EngineReport,
  Heartbeat,
  PanelParams,
  PanelResult,
  UsageBatch,
} from "../protocol/messages.ts";
import type { Fence } from "./fence.ts";
import type { AgentNotice } from "./notices.ts";

/** What changed behind a link's back: a batch waits to be sent, or the engine's status is another. */
export type News = "usage" | "status";

export interface ServedNode {
  readonly fence: Fence;
  /** Which agent this is, by whatever name or address it is reached: a UUID. */
  readonly agentId: string;
  readonly agentVersion: string;
  readonly arch: string;
  readonly setup: string;
  ledger(): { readonly bootId: string; readonly acknowledged: number };
  engine(): EngineReport;
  /** What the engine serves, with its notices, without a running change. */
  applied(): AppliedState;
  notices(): readonly AgentNotice[];
  /** Digests of the known state, including a running change. */
  digests(): PanelResult<"state.digests">;
  /**
   * Tries inbounds again that are left out for their ports, and waits for the running change: the answer describes what
   * is done, not only planned.
   */
  report(): Promise<PanelResult<"state.report">>;
  /**
   * `allowed` throws when the caller may not change the node any more; it is asked again once the change's turn has
   * come.
   */
  apply(change: PanelParams<"state.apply">, allowed: () => void): Promise<PanelResult<"state.apply">>;
  listSessions(params: PanelParams<"sessions.list">): Promise<PanelResult<"sessions.list">>;
  closeSessions(selection: PanelParams<"sessions.close">): Promise<PanelResult<"sessions.close">>;
  listAddresses(params: PanelParams<"addresses.list">): Promise<PanelResult<"addresses.list">>;
  setRules(rules: PanelParams<"rules.set">): void;
  /** Ends the engine and forgets the desired state; the ledger stays. */
  stop(allowed: () => void): Promise<PanelResult<"engine.stop">>;
  heartbeat(): Promise<Heartbeat>;
  /** Oldest batch that waits for the panel; what was given out never changes. */
  nextBatch(): UsageBatch | undefined;
  acknowledge(seq: number): Promise<void>;
  /** At most one listener: the node's links. */
  onNews(listener: (news: News) => void): void;
}
