// Read-only links: how a process asks the agents of nodes whose links others hold. Dialled when a question comes, kept
// for the next ones, closed when nothing was asked for a while.
//
// Invariants: one such link per node; no more than `PLACES` are in use at once, further questions wait for a place as
// long as their time lasts; a link that did not answer, or whose node was changed, is not asked again.
import { isLinked } from "../../../machines/node.ts";
import PQueue from "p-queue";
import type { z } from "zod";
import type { Reader } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import type { FrameThread } from "../../protocol/frame-thread.ts";
import { RpcErrorCode, type PanelMethod, type PanelResult } from "../../protocol/messages.ts";
import type { panelMethods } from "../../protocol/messages.ts";
import { RpcError } from "../../protocol/rpc-error.ts";
import { understandingOf, type Understanding } from "../../protocol/abilities.ts";
import { agentPeer, greet, type AgentPeer } from "../link/agent-peer.ts";
import { dialAgent } from "../link/dial.ts";
import type { LinkIdentity } from "../link/identity.ts";
import { cause, LinkFailure } from "../link/link-failure.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import { noAnswer, withinTime } from "../link/within-time.ts";

const IDLE_MS = 30_000;
const PLACES = 512;
/**
 * Maximum number of parallel connection attempts, separate from those of own links: unreachable nodes must not delay
 * queries to others.
 */
const DIALS = 64;
/** How long an agent that sent wrong messages is asked nothing. */
const SHUNNED_MS = 30_000;

/** What may be asked over a read-only link. */
export type Question = Extract<
  PanelMethod,
  "state.digests" | "state.report" | "sessions.list" | "sessions.close" | "addresses.list"
>;

/** The parameters of a question, as they are written. */
export type QuestionParams<M extends Question> = z.input<(typeof panelMethods)[M]["params"]>;

/** The node's agent is not linked to any process. */
export class NodeNotConnected extends LinkFailure {
  override readonly name = "NodeNotConnected";
  constructor() {
    super(cause("not_connected"), "the node is not connected");
  }
}

export interface ReadLinkPorts {
  readonly reads: Reader;
  readonly clock: Clock;
  readonly identity: () => LinkIdentity;
  readonly version: string;
  readonly frames: FrameThread;
}

/** Where a link leads, and what its agent understands; absent until the node was read, and until it was greeted. */
interface Dialled {
  target?: string;
  understands?: Understanding;
}

interface ReadLink {
  readonly peer: Promise<AgentPeer>;
  readonly abort: AbortController;
  readonly dialled: Dialled;
  asking: number;
  cancelIdle: Cancel;
}

export class ReadLinks {
  readonly #ports: ReadLinkPorts;
  readonly #links = new Map<number, ReadLink>();
  /** Agents that are asked nothing for a while. */
  readonly #shunned = new Set<number>();
  #stopped = false;
  readonly #dials = new PQueue({ concurrency: DIALS });
  readonly #places = new PQueue({ concurrency: PLACES });

  constructor(ports: ReadLinkPorts) {
    this.#ports = ports;
  }

  /** Links that are open or being opened. */
  get size(): number {
    return this.#links.size;
  }

  /**
   * Asks an agent. Rejects with `NodeNotConnected`, with what the network or the agent said, or when `timeoutMs` (which
   * includes the dial) are over.
   */
  async ask<M extends Question>(
    nodeId: number,
    method: M,
    params: QuestionParams<M>,
    timeoutMs: number,
  ): Promise<PanelResult<M>> {
    const begin = performance.now();
    const left = () => {
      const ms = Math.ceil(timeoutMs - (performance.now() - begin));
      if (ms <= 0) throw noAnswer(timeoutMs);
      return ms;
    };
    return this.#places.add(async () => {
      left();
      if (this.#stopped) throw new NodeNotConnected();
      if (this.#shunned.has(nodeId)) throw new Error("the agent sent wrong messages: it is asked nothing for a while");
      const link = this.#links.get(nodeId) ?? this.#begin(nodeId);
      link.asking++;
      link.cancelIdle();
      try {
        const peer = await withinTime(link.peer, left());
        return await peer.call(method, params, { timeoutMs: left() });
      } catch (error) {
        // An agent that refuses is well; one that cannot be heard is dialled again for the next question.
        if (!(error instanceof RpcError)) this.#retire(nodeId, link);
        throw error;
      } finally {
        link.asking--;
        this.#rest(nodeId, link);
      }
    });
  }

  /** What the agent understands that was asked last; what every agent does, where none was. */
  understands(nodeId: number): Understanding {
    return this.#links.get(nodeId)?.dialled.understands ?? understandingOf([]);
  }

  /** Drops the read-only link to a node that this process now holds; running queries are still answered. */
  close(nodeId: number): void {
    const link = this.#links.get(nodeId);
    if (link) this.#retire(nodeId, link);
  }

  /** A node was changed; undefined: deleted. */
  changed(nodeId: number, node: NodeRow | undefined): void {
    const link = this.#links.get(nodeId);
    const target = link?.dialled.target;
    if (link && target !== undefined && (!node || target !== targetOf(node) || !isReachable(node)))
      this.#retire(nodeId, link);
  }

  stop(): void {
    this.#stopped = true;
    for (const [nodeId, link] of this.#links) {
      link.abort.abort(new Error("the panel ends"));
      this.#retire(nodeId, link);
    }
  }

  #begin(nodeId: number): ReadLink {
    const abort = new AbortController();
    const dialled: Dialled = {};
    const link: ReadLink = {
      abort,
      dialled,
      peer: this.#dials.add(() => this.#open(nodeId, dialled, abort.signal)),
      asking: 0,
      cancelIdle: () => {},
    };
    this.#links.set(nodeId, link);
    link.peer.then(
      ({ closed }) =>
        void closed.then(({ wrong }) => {
          if (wrong) this.#shun(nodeId);
          this.#retire(nodeId, link);
        }),
      () => this.#retire(nodeId, link),
    );
    return link;
  }

  async #open(nodeId: number, dialled: Dialled, signal: AbortSignal): Promise<AgentPeer> {
    const { reads, identity, version, frames } = this.#ports;
    signal.throwIfAborted();
    const node = await reads.find(NodeRows, nodeId);
    if (!node || !isReachable(node)) throw new NodeNotConnected();
    dialled.target = targetOf(node);
    const { socket } = await dialAgent(identity(), node, node.fingerprint, signal);
    const peer = agentPeer({
      socket,
      frames,
      handlers: {
        heartbeat: () => null,
        usage: () => Promise.reject(new RpcError(RpcErrorCode.invalidRequest, "this connection only asks")),
      },
    });
    try {
      await greet(peer, { panelVersion: version, nodeId, fence: 0, readOnly: true });
      dialled.understands = peer.understands;
      return peer;
    } catch (error) {
      peer.terminate();
      throw error;
    }
  }

  #shun(nodeId: number): void {
    this.#shunned.add(nodeId);
    this.#ports.clock.after(SHUNNED_MS, () => this.#shunned.delete(nodeId));
  }

  /** No question begins on it any more; it is closed after the last one. */
  #retire(nodeId: number, link: ReadLink): void {
    if (this.#links.get(nodeId) === link) this.#links.delete(nodeId);
    this.#rest(nodeId, link);
  }

  #rest(nodeId: number, link: ReadLink): void {
    if (link.asking > 0) return;
    link.cancelIdle();
    if (this.#links.get(nodeId) !== link) {
      link.abort.abort(new Error("the link is of no use any more"));
      link.peer.then(
        (peer) => peer.close(),
        () => {},
      );
      return;
    }
    // An idle link holds no place, so there may be more links than places: then the oldest idle one is closed.
    link.cancelIdle = this.#ports.clock.after(IDLE_MS, () => this.#retire(nodeId, link));
    if (this.#links.size > PLACES) this.#retireOldest();
  }

  #retireOldest(): void {
    for (const [nodeId, link] of this.#links) {
      if (link.asking > 0) continue;
      this.#retire(nodeId, link);
      return;
    }
  }
}

/** Somebody holds its link, and its key is known: it can be asked. */
function isReachable(node: NodeRow): boolean {
  return isLinked(node.mstate) && node.fingerprint !== "";
}

function targetOf({ address, port, fingerprint }: NodeRow): string {
  return `${address} ${port} ${fingerprint}`;
}
