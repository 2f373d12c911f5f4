// What a link needs of its surroundings, what it is begun with, and the two ends that are no failure of the network.
import type { Reader } from "../../db/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { FrameThread } from "../../protocol/frame-thread.ts";
import type { Heartbeat, PanelParams } from "../../protocol/messages.ts";
import type { Send } from "../../runtime/index.ts";
import type { Signals } from "../../lib/signals.ts";
import type { LinkIdentity } from "./identity.ts";
import type { AgentHolderPorts } from "./agent-holders.ts";
import type { Ledgers } from "./ledgers.ts";
import { cause, LinkFailure } from "./link-failure.ts";
import type { Acknowledged } from "../records/node-progress.ts";
import type { DesiredNode } from "../desired/structures.ts";
import type { UsageCounter } from "../usage/usage.ts";
import type { UserSets } from "../desired/user-sets.ts";

export interface LinkPorts {
  readonly reads: Reader;
  readonly clock: Clock;
  readonly random: () => number;
  readonly identity: () => LinkIdentity;
  readonly version: string;
  /** What holds for the users of all nodes now; agents are told within a heartbeat. */
  readonly rules: () => PanelParams<"rules.set">;
  /** Reads what is large of what agents say. */
  readonly frames: FrameThread;
  /**
   * Whether this process still holds the node under that token: after that, events of the link no longer concern the
   * node.
   */
  readonly holds: (nodeId: number, fence: number) => boolean;
  readonly users: UserSets;
  /**
   * Resolves when `users` and `desired` know everything that any process has committed before: an agent that is taken
   * over must not be led back to what was.
   */
  readonly ready: () => Promise<void>;
  readonly usage: UsageCounter;
  readonly ledgers: Ledgers;
  readonly agents: AgentHolderPorts;
  /**
   * The key of a local agent that this panel keeps; undefined where it keeps none. `fingerprint`: undefined until the
   * agent has a key.
   */
  readonly localKey?: (nodeId: number) => { readonly fingerprint: string | undefined } | undefined;
  readonly desired: (nodeId: number) => Promise<DesiredNode>;
  /** Takes one of the places for parallel connection attempts. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onHeartbeat: (nodeId: number, fence: number, heartbeat: Heartbeat) => void;
  /** What agents acknowledged, also of links before this one. */
  readonly progress: {
    last(nodeId: number): Promise<Acknowledged>;
    heard(nodeId: number, fence: number, word: Acknowledged): void;
  };
  /** The agent is greeted. */
  readonly onOpen: (nodeId: number) => void;
  /** Hears of connections, pushes and comparisons. */
  readonly signals: Signals;
  readonly log: (level: "debug" | "info" | "warn", message: string, fields: Record<string, unknown>) => void;
  /** Logs what an agent does wrong, at a rate of its own. */
  readonly onProblem: (nodeId: number, problem: string, fields?: Record<string, unknown>) => void;
}

/** What a link is begun with. */
export interface LinkStart {
  readonly nodeId: number;
  /**
   * The node was in a linked state before this link: after a start of the panel, or taken over from another process.
   */
  readonly resumed: boolean;
  /** Token of the node's shard: an agent refuses a smaller one than it has seen. */
  readonly fence: number;
  readonly send: Send;
}

/** Another process shows a larger token, or this one does not hold the node any more. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** The agent says what no agent says. */
export class Misbehaved extends LinkFailure {
  override readonly name = "Misbehaved";
  constructor(messages: number, last: string, message: string) {
    super(cause("misbehaved", messages, last), message);
  }
}
