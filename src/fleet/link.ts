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
import type { WebSocket } from "ws";
import type { Cancel } from "../lib/clock.ts";
import { CloseCode, PROTOCOL_VERSION, type Heartbeat, type PanelResult } from "../protocol/messages.ts";
import type { PeerClosed } from "../protocol/peer-contract.ts";
import { plainLine } from "../protocol/said-text.ts";
import { PeerClosedError, RpcError } from "../protocol/rpc-error.ts";
import type { Send } from "../runtime/index.ts";
import { DuplicateAgent, heldAgent, holdAgent } from "./agent-holders.ts";
import { agentPeer, type AgentPeer } from "./agent-peer.ts";
import { dialAgent, PinMismatch } from "./dial.ts";
import { EngineHealth } from "./engine-health.ts";
import { LedgerRefused } from "./ledgers.ts";
import { LinkEvents, TRUSTED_MS } from "./link-events.ts";
import { cause, causeOf, ended, LinkFailure, messageOf, notTaken } from "./link-failure.ts";
import { Misbehaved, Superseded, type LinkPorts, type LinkStart } from "./link-ports.ts";
import { NodeRows, type NodeRow } from "./node.entity.ts";
import { Paced } from "./paced.ts";
import { Silence } from "./silence.ts";
import { Sync, type SyncResult } from "./sync.ts";
import { drainedUntil, reportedUntil } from "./reported-until.ts";

/** How long nothing is pushed to an agent that was told to stop. */
const REST_MS = 10_000;
const LEAVE_MS = 5000;
/** Heartbeats that come faster are passed on at this pace, the latest of them. */
const HEARTBEAT_PACE_MS = 500;
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
  #multiplierMicros = 0;
  #peer: AgentPeer | undefined;
  #greetedAgent = false;
  #greetedAt = 0;
  #sync: Sync | undefined;
  #cancelWait: Cancel = () => {};
  readonly #silence: Silence;
  readonly #engine: EngineHealth;
  #lost: unknown;
  #supersededAt: number | undefined;
  #templateId = 0;
  readonly #beats: Paced<Heartbeat>;
  readonly #events: LinkEvents;
  /** Settled once the agent is greeted, or is not. Nothing that it says before is taken in. */
  #greeting = greetingToCome();
  /** A heartbeat that came while the greeting was being written down. */
  #early: Heartbeat | undefined;

  constructor(ports: LinkPorts, { nodeId, resumed, fence, send }: LinkStart) {
    this.nodeId = nodeId;
    this.#ports = ports;
    this.#fence = fence;
    this.#send = send;
    this.#begun = ports.clock.now();
    this.#beats = new Paced(ports.clock, HEARTBEAT_PACE_MS, (heartbeat) => this.#beat(heartbeat));
    this.#silence = new Silence(ports.clock, (missed) =>
      this.#giveUp(new LinkFailure(cause("silent", missed), `${missed} heartbeats were missed`)),
    );
    this.#engine = new EngineHealth({
      clock: ports.clock,
      onFailing: (message) => this.#events.refused(message),
      onWell: () => this.#sync?.nudge(),
    });
    this.#events = new LinkEvents({
      clock: ports.clock,
      random: ports.random,
      send,
      held: () => this.#held,
      engineFailure: () => this.#engine.failure,
    });
    this.#graceUntil = resumed ? this.#begun + GRACE_MS : 0;
    void this.#run();
  }

  /** The peer while the agent is greeted; for questions. */
  get peer(): AgentPeer | undefined {
    return this.#greetedAgent && this.#peer?.open ? this.#peer : undefined;
  }

  /** The template that the agent was last given; 0: none. */
  get templateId(): number {
    return this.#templateId;
  }

  get sync(): Sync | undefined {
    return this.#sync;
  }

  /**
   * Until when the agent has told of everything although no batch says so: it is linked, and used nothing. 0 while that
   * is not sure.
   */
  get reportedUntil(): number {
    const told = this.peer ? this.#sync?.toldAt : undefined;
    return told === undefined ? 0 : Math.min(told, drainedUntil(this.#ports.clock.now(), this.#greetedAt));
  }

  /** Traffic that the agent reports from now on counts so many millionths of itself. */
  set multiplierMicros(micros: number) {
    this.#multiplierMicros = micros;
  }

  /** Syncs now; resolves when the agent runs the desired state. */
  syncNow(): Promise<SyncResult> {
    return this.#sync ? this.#sync.run() : Promise.reject(new Error("the node is not connected"));
  }

  /**
   * Has the agent stop serving, for a node that is about to be deleted: nothing is pushed for a while, should it be
   * deleted or not. Rejects when the agent cannot be told.
   */
  async stopEngine(timeoutMs: number): Promise<boolean> {
    const peer = this.peer;
    if (!peer) throw new Error("the node is not connected");
    this.#sync?.rest(REST_MS);
    return (await peer.call("engine.stop", {}, { timeoutMs })).stopped;
  }

  stop(): void {
    this.#abort.abort(new Error("the link was given up"));
    this.#cancelWait();
    const peer = this.peer;
    // A greeted agent is stopped in order; one that is only being greeted is cut off.
    if (peer) this.#peer = undefined;
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
      const failure = await this.#connection();
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

  /** One connection from dial to end. Resolves to why it ended; never rejects. */
  async #connection(): Promise<unknown> {
    try {
      const node = await this.#node();
      const peer = await this.#ports.inTurn(() => this.#open(node));
      const closed = await peer.closed;
      if (closed.wrong) return misbehaved(closed);
      if (closed.code === CloseCode.replaced) return new Superseded(closed.reason);
      return this.#lost ?? ended(closed);
    } catch (error) {
      return (await this.#wasReplaced(error)) || isFenced(error)
        ? new Superseded(messageOf(error), { cause: error })
        : error;
    } finally {
      this.#lost = undefined;
      this.#close("the connection ended");
    }
  }

  async #admitLedger(bootId: string): Promise<void> {
    try {
      await this.#ports.ledgers.admit(this.nodeId, bootId);
    } catch (error) {
      if (error instanceof LedgerRefused) this.#events.ledgerRefused(error);
      throw error;
    }
  }

  /** What the agent said last, at its pace. */
  #beat(heartbeat: Heartbeat): void {
    if (!this.#greetedAgent) return;
    this.#ports.onHeartbeat(this.nodeId, this.#fence, heartbeat);
    this.#engine.heard(heartbeat.engine);
    this.#sync?.reported(heartbeat.applied, heartbeat);
  }

  /** A connection may also be replaced during the greeting: then the running call fails. */
  async #wasReplaced(error: unknown): Promise<boolean> {
    return error instanceof PeerClosedError && (await this.#peer?.closed)?.code === CloseCode.replaced;
  }

  async #node(): Promise<NodeRow> {
    const node = await this.#ports.reads.find(NodeRows, this.nodeId);
    if (!node) throw new Error("the node is gone");
    this.#multiplierMicros = node.multiplierMicros;
    if (node.isLocal) {
      this.#graceUntil = Math.max(this.#graceUntil, this.#begun + LOCAL_GRACE_MS);
      this.#retryMs = LOCAL_RETRY_MS;
    }
    return node;
  }

  async #open(node: NodeRow): Promise<AgentPeer> {
    this.#abort.signal.throwIfAborted();
    if (!this.#held) throw new Superseded("this process does not hold the node any more");
    const { socket, fingerprint } = await dialAgent(this.#ports.identity(), node, node.fingerprint, this.#abort.signal);
    const peer = this.#peerOn(socket);
    this.#peer = peer;
    this.#abort.signal.throwIfAborted();
    await this.#greeted(peer, await this.#hello(peer, fingerprint), fingerprint);
    return peer;
  }

  /** An agent that is not known to be this node's says first who it is, and is touched only if no other node has it. */
  async #hello(peer: AgentPeer, fingerprint: string): Promise<PanelResult<"hello">> {
    const { agents, version } = this.#ports;
    const greet = (agentId: string) =>
      peer.call("hello", {
        protocol: PROTOCOL_VERSION,
        panelVersion: version,
        nodeId: this.nodeId,
        fence: this.#fence,
        readOnly: false,
        agentId,
      });
    const known = await heldAgent(agents, this.nodeId, fingerprint);
    const hello = await greet(known);
    if (hello.agentId === undefined || hello.agentId === known) return hello;
    await holdAgent(agents, this.nodeId, fingerprint, hello.agentId);
    const again = await greet(hello.agentId);
    if (again.agentId !== hello.agentId) {
      const message = "the agent says another time that it is another agent";
      throw new Misbehaved(1, message, message);
    }
    return again;
  }

  #peerOn(socket: WebSocket): AgentPeer {
    this.#greeting = greetingToCome();
    const greeting = this.#greeting.promise;
    return agentPeer({
      socket,
      frames: this.#ports.frames,
      handlers: {
        heartbeat: (heartbeat) => {
          if (this.#abort.signal.aborted) return null;
          this.#silence.heard();
          if (this.#greetedAgent) this.#beats.offer(heartbeat);
          else this.#early = heartbeat;
          return null;
        },
        usage: async (batch) => {
          await greeting;
          this.#silence.heard();
          await this.#admitLedger(batch.bootId);
          const at = this.#ports.clock.now();
          const until = reportedUntil(batch, {
            at,
            informedAt: this.#sync?.toldAt ?? 0,
            linkedSince: this.#greetedAgent ? this.#greetedAt : at,
          });
          return {
            acknowledged: await this.#ports.usage.count({
              nodeId: this.nodeId,
              micros: this.#multiplierMicros,
              until,
              batch,
            }),
          };
        },
      },
      // What an agent causes by what it says needs no stack.
      onProblem: (problem, error) =>
        this.#ports.onProblem(
          this.nodeId,
          problem,
          error === undefined ? {} : error instanceof RpcError ? { error: error.message } : { err: error },
        ),
    });
  }

  /** The pin is on disk before the agent is told anything worth protecting. */
  async #greeted(peer: AgentPeer, hello: PanelResult<"hello">, fingerprint: string): Promise<void> {
    const { users, ready, desired } = this.#ports;
    await ready();
    const { templateId } = await desired(this.nodeId);
    this.#templateId = templateId;
    if (!this.#held) throw new Superseded("this process does not hold the node any more");
    await this.#send({
      type: "link.opened",
      fingerprint,
      users: users.count(templateId),
      coreVersion: hello.engine.version,
      nodeVersion: hello.agentVersion,
      arch: hello.arch,
      setup: hello.setup,
      engine: hello.engine.kind,
    });
    this.#abort.signal.throwIfAborted();
    this.#greetedAgent = true;
    this.#greetedAt = this.#ports.clock.now();
    this.#silence.watch();
    this.#supersededAt = undefined;
    this.#ports.onOpen(this.nodeId);
    this.#sync = new Sync({
      agent: peer,
      users,
      clock: this.#ports.clock,
      desired: async () => {
        const wanted = await desired(this.nodeId);
        this.#templateId = wanted.templateId;
        return wanted;
      },
      applied: hello.applied,
      said: hello,
      onSynced: (notices) => this.#events.synced(notices),
      onRefused: (message) => this.#events.refused(message),
      onEngine: (engine) => this.#engine.heard(engine),
      onFailed: (error) => this.#giveUp(isFenced(error) ? new Superseded(error.message) : notTaken(error)),
    });
    this.#engine.greeted(hello.engine);
    this.#greeting.resolve();
    this.#sync.nudge();
    if (this.#early) this.#beats.offer(this.#early);
    this.#early = undefined;
  }

  /** The chart has an engine asked again that refused. */
  tryAgain(): void {
    this.#sync?.nudge();
  }

  #giveUp(why: unknown): void {
    this.#lost = why;
    this.#peer?.terminate();
  }

  #close(why: string): void {
    this.#silence.stop();
    this.#engine.stop();
    this.#beats.stop();
    this.#events.stop();
    this.#early = undefined;
    this.#greeting.reject(new Error(why));
    this.#sync?.stop(new Error(why));
    this.#sync = undefined;
    this.#greetedAgent = false;
    this.#peer?.terminate();
    this.#peer = undefined;
  }
}

/** Rejected when the connection ends before; nobody may be waiting for it then. */
function greetingToCome() {
  const greeting = Promise.withResolvers<void>();
  greeting.promise.catch(() => {});
  return greeting;
}

function misbehaved({ wrongMessages, reason }: PeerClosed): Misbehaved {
  return new Misbehaved(
    wrongMessages,
    reason,
    `the agent sent ${wrongMessages === 1 ? "a wrong message" : `${wrongMessages} wrong messages, the last`}: ${reason}`,
  );
}

function isFenced(error: unknown): error is RpcError {
  return error instanceof RpcError && error.fenced;
}
