// The link to one agent: the resident effect of a node's chart. It connects, authenticates, syncs, receives heartbeats
// and usage, and sends events to the chart; it decides nothing.
//
// Life: it starts when the chart enters a linked state (or the panel starts and finds it there), and ends when the
// chart leaves it. It has one connection; when that is lost, the link reports it and ends. It reconnects on its own
// only during a grace: after a start or a takeover, because a node that served before is not lost only because its
// panel was away; and to a local agent, whose process may just be starting.
//
// Several processes: the link shows the token of its node's shard as its fence. The link with the larger token has the
// node. The older link then reports nothing any more, because its events no longer concern the node. It waits to be
// stopped by its own process, which finds out about the lost lease within seconds.
import type { Cancel } from "../../lib/clock.ts";
import { CloseCode } from "../../protocol/messages.ts";
import type { PeerClosed } from "../../protocol/peer-contract.ts";
import { plainLine } from "../../protocol/said-text.ts";
import { PeerClosedError } from "../../protocol/rpc-error.ts";
import type { Send } from "../../runtime/index.ts";
import type { SignalTable } from "../../lib/signal-table.ts";
import type { Signal } from "../../lib/signals.ts";
import { DuplicateAgent } from "./agent-holders.ts";
import type { AgentPeer } from "./agent-peer.ts";
import { PinMismatch } from "./dial.ts";
import { isFenced, LinkConnection } from "./link-connection.ts";
import { LinkEvents, TRUSTED_MS } from "./link-events.ts";
import { causeOf, ended, messageOf } from "./link-failure.ts";
import { Misbehaved, Superseded, type LinkPorts, type LinkStart } from "./link-ports.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import type { Sync, SyncResult } from "./sync.ts";

/** How long nothing is pushed to an agent that was told to stop. */
const REST_MS = 10_000;
const LEAVE_MS = 5000;
const REASON_BYTES = 300;
/**
 * A connection that served for so long was a good one: what failed before it is forgotten. After wrong messages it
 * takes longer.
 */
const STEADY_MS = 5000;
/**
 * How long after a panel start a node that was linked before may be unreachable before that is said (rule
 * nodes.status.5).
 */
export const GRACE_MS = 60_000;
const GRACE_RETRY_MS = 2000;
/**
 * How long a link that another one superseded waits to be stopped. Longer than a lease: if this process still holds the
 * lease after that, the agent obeys another panel, which must be reported.
 */
export const SUPERSEDED_MS = 15_000;
/** How long the process of a local agent may take until it listens, and how often it is tried. */
const LOCAL_GRACE_MS = 10_000;
const LOCAL_RETRY_MS = 250;

export class NodeLink {
  readonly nodeId: number;
  readonly #ports: LinkPorts;
  readonly #send: Send;
  readonly #fence: number;
  readonly #abort = new AbortController();
  readonly #begun: number;
  #graceUntil: number;
  #retryMs = GRACE_RETRY_MS;
  #cancelWait: Cancel = () => {};
  #supersededAt: number | undefined;
  readonly #connection: LinkConnection;
  readonly #events: LinkEvents;
  readonly #opens: Signal<SignalTable["link.opened"]>;
  readonly #closes: Signal<SignalTable["link.closed"]>;
  /**
   * About the current connection: when the attempt began (only where anybody watches), and whether its agent was
   * greeted.
   */
  #triedAt: number | undefined;
  #greeted = false;

  constructor(ports: LinkPorts, { nodeId, resumed, fence, send }: LinkStart) {
    this.nodeId = nodeId;
    this.#ports = ports;
    this.#fence = fence;
    this.#send = send;
    this.#begun = ports.clock.now();
    this.#opens = ports.signals.of("link.opened");
    this.#closes = ports.signals.of("link.closed");
    this.#connection = new LinkConnection({
      nodeId,
      fence,
      ports,
      send,
      events: () => this.#events,
      signal: this.#abort.signal,
      onGreeted: () => {
        this.#supersededAt = undefined;
        this.#greeted = true;
        if (this.#triedAt !== undefined) this.#opens.tell({ nodeId, ms: this.#opens.since(this.#triedAt) });
        ports.onOpen(nodeId);
      },
    });
    this.#events = new LinkEvents({
      clock: ports.clock,
      random: ports.random,
      send,
      held: () => this.#held,
      engineFailure: () => this.#connection.engineFailure,
    });
    this.#graceUntil = resumed ? this.#begun + GRACE_MS : 0;
    void this.#run();
  }

  /** The peer while the agent is greeted; for questions. */
  get peer(): AgentPeer | undefined {
    return this.#connection.peer;
  }

  /** The template that the agent was last given; 0: none. */
  get templateId(): number {
    return this.#connection.templateId;
  }

  get sync(): Sync | undefined {
    return this.#connection.sync;
  }

  /**
   * Until when the agent has told of everything although no batch says so: it is linked, and used nothing. 0 while that
   * is not sure.
   */
  get reportedUntil(): number {
    return this.#connection.reportedUntil;
  }

  /** Traffic that the agent reports from now on counts so many millionths of itself. */
  set multiplierMicros(micros: number) {
    this.#connection.multiplierMicros = micros;
  }

  /** Syncs now; resolves when the agent runs the desired state. */
  syncNow(): Promise<SyncResult> {
    return this.sync ? this.sync.run() : Promise.reject(new Error("the node is not connected"));
  }

  /**
   * Has the agent stop serving, for a node that is about to be deleted: nothing is pushed for a while, should it be
   * deleted or not. Rejects when the agent cannot be told.
   */
  async stopEngine(timeoutMs: number): Promise<boolean> {
    const peer = this.peer;
    if (!peer) throw new Error("the node is not connected");
    this.sync?.rest(REST_MS);
    return (await peer.call("engine.stop", {}, { timeoutMs })).stopped;
  }

  stop(): void {
    this.#abort.abort(new Error("the link was given up"));
    this.#cancelWait();
    // A greeted agent is stopped in order; one that is only being greeted is cut off.
    const peer = this.#connection.release();
    this.#close("the link was given up");
    if (peer) void this.#takeLeave(peer);
  }

  /**
   * An agent stops serving when its node is switched off (by a person, by its limit, or because it was deleted):
   * otherwise it would serve users that the panel can neither count nor cut off.
   */
  async #takeLeave(peer: AgentPeer): Promise<void> {
    try {
      const node = await this.#ports.reads.find(NodeRows, this.nodeId);
      if (!node?.enabled || node.limitDisabled) await peer.call("engine.stop", {}, { timeoutMs: LEAVE_MS });
    } catch (error) {
      // Out of reach, or the panel itself is ending: the agent serves its last state until it is linked again.
      this.#ports.log("debug", "the agent was not told to stop", { nodeId: this.nodeId, error: messageOf(error) });
    } finally {
      peer.terminate();
    }
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#ports;
    for (;;) {
      const failure = await this.#watched(() => this.#connectOnce());
      if (this.#abort.signal.aborted) return;
      const superseded = failure instanceof Superseded || !this.#held;
      if (failure instanceof DuplicateAgent && !superseded) {
        await this.#send({
          type: "link.duplicate",
          message: failure.message,
          cause: failure.why,
          holder: failure.holder,
          jitter: random(),
        });
        return;
      }
      if (failure instanceof PinMismatch && !superseded) {
        await this.#send({ type: "link.mismatched", message: failure.message, cause: failure.why });
        return;
      }
      const wrong = failure instanceof Misbehaved;
      const inGrace = !this.#events.told && !wrong;
      const left = superseded ? this.#patience() : inGrace ? this.#graceUntil - clock.now() : 0;
      if (left <= 0) {
        const steady = this.#events.servedMs >= (wrong ? TRUSTED_MS : STEADY_MS);
        const message = plainLine(messageOf(failure), REASON_BYTES);
        await this.#send({ type: "link.lost", message, cause: causeOf(failure), jitter: random(), steady });
        return;
      }
      await this.#wait(Math.min(left, this.#retryMs * (0.5 + random())));
      if (this.#abort.signal.aborted) return;
    }
  }

  get #held(): boolean {
    return this.#ports.holds(this.nodeId, this.#fence);
  }

  /**
   * Milliseconds for which a link that is superseded stays silent; 0 only for one that is not stopped although it
   * should have been.
   */
  #patience(): number {
    const { clock } = this.#ports;
    if (!this.#held) return GRACE_RETRY_MS;
    this.#supersededAt ??= clock.now();
    return this.#supersededAt + SUPERSEDED_MS - clock.now();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#ports.clock.after(ms, resolve);
      this.#cancelWait = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Tells watchers of a connection. */
  async #watched(connect: () => Promise<unknown>): Promise<unknown> {
    this.#triedAt = this.#opens.begun() ?? this.#closes.begun();
    this.#greeted = false;
    const failure = await connect();
    if (this.#triedAt !== undefined)
      this.#closes.tell({
        nodeId: this.nodeId,
        opened: this.#greeted,
        reason: this.#reasonOf(failure),
        ms: this.#closes.since(this.#triedAt),
      });
    return failure;
  }

  #reasonOf(failure: unknown): SignalTable["link.closed"]["reason"] {
    if (this.#abort.signal.aborted) return "stopped";
    return failure instanceof Superseded || !this.#held ? "superseded" : causeOf(failure).code;
  }

  /** One connection from dial to end. Resolves to why it ended; never rejects. */
  async #connectOnce(): Promise<unknown> {
    try {
      const node = await this.#node();
      const peer = await this.#ports.inTurn(() => this.#connection.open(node));
      const closed = await peer.closed;
      if (closed.wrong) return misbehaved(closed);
      if (closed.code === CloseCode.replaced) return new Superseded(closed.reason);
      return this.#connection.lost ?? ended(closed);
    } catch (error) {
      return (await this.#wasReplaced(error)) || isFenced(error)
        ? new Superseded(messageOf(error), { cause: error })
        : error;
    } finally {
      this.#close("the connection ended");
    }
  }

  /** A connection may also be replaced during the greeting: then the running call fails. */
  async #wasReplaced(error: unknown): Promise<boolean> {
    return error instanceof PeerClosedError && (await this.#connection.any?.closed)?.code === CloseCode.replaced;
  }

  async #node(): Promise<NodeRow> {
    const node = await this.#ports.reads.find(NodeRows, this.nodeId);
    if (!node) throw new Error("the node is gone");
    this.#connection.multiplierMicros = node.multiplierMicros;
    if (node.isLocal) {
      this.#graceUntil = Math.max(this.#graceUntil, this.#begun + LOCAL_GRACE_MS);
      this.#retryMs = LOCAL_RETRY_MS;
    }
    return node;
  }

  /** The chart has an engine asked again that refused. */
  tryAgain(): void {
    this.sync?.nudge();
  }

  #close(why: string): void {
    this.#events.stop();
    this.#connection.close(why);
  }
}

function misbehaved({ wrongMessages, reason }: PeerClosed): Misbehaved {
  return new Misbehaved(
    wrongMessages,
    reason,
    `the agent sent ${wrongMessages === 1 ? "a wrong message" : `${wrongMessages} wrong messages, the last`}: ${reason}`,
  );
}
