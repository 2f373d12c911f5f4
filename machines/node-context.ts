// The vocabulary of the node chart (`node.ts`): what it knows of a node, the events that it takes, and what it emits.
import type { NodeCause, NodeNotice } from "./node-cause.ts";

/**
 * What kept a node from serving last: its agent was not reached, its engine refused, its agent serves another node,
 * another key answered.
 */
export type NodeFailure = "unreachable" | "refused" | "duplicate" | "mismatched";

/** The facts of a node that its chart decides by and writes. */
export interface NodeContext {
  /** Unix seconds of this step. */
  readonly now: number;
  readonly enabled: boolean;
  readonly licensed: boolean;
  /** The periodic usage cap is reached. */
  readonly limited: boolean;
  /** Raw bytes of the current limit period. */
  readonly periodUsed: number;
  readonly message: string;
  /**
   * The message for programs; null while nothing keeps it from serving, and of what a panel noted that knew no causes.
   */
  readonly cause: NodeCause | null;
  readonly warnings: readonly string[];
  /** The notices of those warnings that have a code. */
  readonly notices: readonly NodeNotice[];
  /** SPKI SHA-256 of the agent's certificate, empty until first contact. */
  readonly fingerprint: string;
  /** Failed attempts and short connections in a row: how long the next pause is follows from them. */
  readonly attempt: number;
  /**
   * Since when it does not serve although it should, Unix seconds, and the number of failed attempts since then; 0
   * while it serves or is off.
   */
  readonly troubleSince: number;
  readonly failures: number;
  /** The last of these failures. */
  readonly failed: NodeFailure | "";
  /** The node that the agent serves, of a failure `duplicate`; else 0. */
  readonly holder: number;
  /** Milliseconds until the next attempt, drawn when the last one failed. */
  readonly retryIn: number;
  /** Users that the first sync may have to carry: its deadline grows with them. */
  readonly users: number;
  /** Facts of the agent's greeting. */
  readonly coreVersion: string;
  readonly nodeVersion: string;
  readonly arch: string;
  readonly setup: string;
  readonly engine: string;
  readonly infoSeenAt: number;
  /** It was switched off while its agent was out of reach, and was not told. */
  readonly unreached: boolean;
}

/** What happens to a node: reports of its link, and what people and the panel do. */
export type NodeEvent =
  /** The link is up: TLS, key and greeting are right. */
  | {
      type: "link.opened";
      fingerprint: string;
      users: number;
      coreVersion: string;
      nodeVersion: string;
      arch: string;
      setup: string;
      engine: string;
    }
  /** The agent runs what is wanted. Also said by a link that a starting panel resumed. */
  | { type: "link.synced"; warnings: readonly string[]; notices?: readonly NodeNotice[] }
  /** What the agent does not run has changed. */
  | { type: "link.warned"; warnings: readonly string[]; notices?: readonly NodeNotice[] }
  /**
   * The link failed or three heartbeats were missed. `jitter`: 0 to 1, drawn by the link. `steady`: it had served well,
   * so what failed before it is forgotten.
   */
  | { type: "link.lost"; message: string; cause?: NodeCause; jitter: number; steady?: boolean }
  /** The agent that answers has another key than the saved one. */
  | { type: "link.mismatched"; message: string; cause?: NodeCause }
  /** The agent's engine refuses the configuration, in its own words; the link goes on. */
  | { type: "link.refused"; message: string; jitter: number; steady?: boolean }
  /** The agent serves another node, and was not touched. */
  | { type: "link.duplicate"; message: string; cause?: NodeCause; holder: number; jitter: number }
  /** The node whose agent it is was switched off, moved or deleted. */
  | { type: "link.freed" }
  /** A person switched the node on or off. */
  | { type: "switchOn" }
  | { type: "switchOff" }
  /** A person asked for a new connection. */
  | { type: "reconnect" }
  /** The key that answers is trusted from now on, or the node was moved. */
  | { type: "repinned" }
  | { type: "moved" }
  /** Limits or other columns were changed. */
  | { type: "edited" }
  /** The usage cap was reached, or a new period began. */
  | { type: "due" };

/** What the chart says to others. */
export type NodeEmitted = { type: "connected" } | { type: "disconnected" } | { type: "limitReached"; used: number };
