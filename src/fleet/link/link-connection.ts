// A link's connection to its agent: it dials, greets and listens; one connection at a time. What it hears goes to the
// link's ports and to the events of its chart. The link judges why it ended.
import type { WebSocket } from "ws";
import type { Heartbeat, PanelResult } from "../../protocol/messages.ts";
import { RpcError } from "../../protocol/rpc-error.ts";
import type { Send } from "../../runtime/index.ts";
import { understoodBy } from "../desired/understood.ts";
import { heldAgent, holdAgent } from "./agent-holders.ts";
import { agentPeer, greet, type AgentPeer } from "./agent-peer.ts";
import { dialAgent, PinMismatch } from "./dial.ts";
import { EngineHealth } from "./engine-health.ts";
import { LedgerRefused } from "./ledgers.ts";
import type { LinkEvents } from "./link-events.ts";
import { cause, LinkFailure, notTaken } from "./link-failure.ts";
import { Misbehaved, Superseded, type LinkPorts } from "./link-ports.ts";
import type { NodeRow } from "../records/node.entity.ts";
import { Paced } from "./paced.ts";
import { drainedUntil, reportedUntil } from "./reported-until.ts";
import { Silence } from "./silence-watch.ts";
import { Sync } from "./sync.ts";

/** Heartbeats that come faster are passed on at this pace, the latest of them. */
const HEARTBEAT_PACE_MS = 500;

export interface ConnectionDeps {
  readonly nodeId: number;
  readonly fence: number;
  readonly ports: LinkPorts;
  readonly send: Send;
  readonly events: () => LinkEvents;
  /** Aborted when the link is given up. */
  readonly signal: AbortSignal;
  /** The agent is greeted. */
  readonly onGreeted: () => void;
}

export class LinkConnection {
  readonly #deps: ConnectionDeps;
  readonly #ports: LinkPorts;
  readonly #nodeId: number;
  readonly #fence: number;
  #peer: AgentPeer | undefined;
  #greetedAgent = false;
  #greetedAt = 0;
  #sync: Sync | undefined;
  #templateId = 0;
  /** Traffic that the agent reports from now on counts so many millionths of itself. */
  multiplierMicros = 0;
  /** What the agent was told of the rules on this connection. */
  #rulesTold = "";
  #lost: unknown;
  readonly #silence: Silence;
  readonly #engine: EngineHealth;
  readonly #beats: Paced<Heartbeat>;
  /** Settled once the agent is greeted, or is not. Nothing that it says before is taken in. */
  #greeting = greetingToCome();
  /** A heartbeat that came while the greeting was being written down. */
  #early: Heartbeat | undefined;

  constructor(deps: ConnectionDeps) {
    const { ports } = deps;
    this.#deps = deps;
    this.#ports = ports;
    this.#nodeId = deps.nodeId;
    this.#fence = deps.fence;
    this.#beats = new Paced(ports.clock, HEARTBEAT_PACE_MS, (heartbeat) => this.#beat(heartbeat));
    this.#silence = new Silence(ports.clock, (missed) =>
      this.#giveUp(new LinkFailure(cause("silent", missed), `${missed} heartbeats were missed`)),
    );
    this.#engine = new EngineHealth({
      clock: ports.clock,
      onFailing: (message) => deps.events().refused(message),
      onWell: () => this.#sync?.nudge(),
    });
  }

  /** The peer, greeted or not. */
  get any(): AgentPeer | undefined {
    return this.#peer;
  }

  /** The peer while the agent is greeted; for questions. */
  get peer(): AgentPeer | undefined {
    return this.#greetedAgent && this.#peer?.open ? this.#peer : undefined;
  }

  get sync(): Sync | undefined {
    return this.#sync;
  }

  /** The template that the agent was last given; 0: none. */
  get templateId(): number {
    return this.#templateId;
  }

  /** What the engine says of its failure; undefined while it does not fail. */
  get engineFailure(): string | undefined {
    return this.#engine.failure;
  }

  /** Why the panel itself ended the connection; undefined when it did not. */
  get lost(): unknown {
    return this.#lost;
  }

  /** See `NodeLink.reportedUntil`. */
  get reportedUntil(): number {
    const told = this.peer ? this.#sync?.toldAt : undefined;
    return told === undefined ? 0 : Math.min(told, drainedUntil(this.#ports.clock.now(), this.#greetedAt));
  }

  get #held(): boolean {
    return this.#ports.holds(this.#nodeId, this.#fence);
  }

  /** Hands the peer over, unless the agent is only being greeted: closing leaves it open then. */
  release(): AgentPeer | undefined {
    const peer = this.peer;
    if (peer) this.#peer = undefined;
    return peer;
  }

  /** Dials and greets. Rejects when either fails; `close` follows in any case. */
  async open(node: NodeRow): Promise<AgentPeer> {
    this.#deps.signal.throwIfAborted();
    if (!this.#held) throw new Superseded("this process does not hold the node any more");
    const { socket, fingerprint } = await this.#dial(node);
    const peer = this.#peerOn(socket);
    this.#peer = peer;
    this.#deps.signal.throwIfAborted();
    await this.#greeted(peer, await this.#hello(peer, fingerprint), fingerprint);
    return peer;
  }

  /**
   * Another user's program may be first on a local agent's port: it is not the agent, and is dialled again until the
   * agent is there. Another panel's local agent is known by its answer.
   */
  async #dial(node: NodeRow): ReturnType<typeof dialAgent> {
    const { identity, localKey } = this.#ports;
    const here = node.fingerprint === "" && node.isLocal ? localKey?.(this.#nodeId) : undefined;
    const at = `${node.address}:${node.port}`;
    const notYet = (why: string) => new LinkFailure(cause("connection_refused", at), `${at} cannot be reached: ${why}`);
    if (here && here.fingerprint === undefined) throw notYet("its agent was not started yet");
    try {
      return await dialAgent(identity(), node, here?.fingerprint ?? node.fingerprint, this.#deps.signal);
    } catch (error) {
      if (here && error instanceof PinMismatch) throw notYet("another program listens there");
      throw error;
    }
  }

  /** An agent that is not known to be this node's says first who it is, and is touched only if no other node has it. */
  async #hello(peer: AgentPeer, fingerprint: string): Promise<PanelResult<"hello">> {
    const { agents, version } = this.#ports;
    const greeted = (agentId: string) =>
      greet(peer, { panelVersion: version, nodeId: this.#nodeId, fence: this.#fence, readOnly: false, agentId });
    const known = await heldAgent(agents, this.#nodeId, fingerprint);
    const hello = await greeted(known);
    if (hello.agentId === undefined || hello.agentId === known) return hello;
    await holdAgent(agents, this.#nodeId, fingerprint, hello.agentId);
    const again = await greeted(hello.agentId);
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
          if (this.#deps.signal.aborted) return null;
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
              nodeId: this.#nodeId,
              micros: this.multiplierMicros,
              until,
              batch,
            }),
          };
        },
      },
      // What an agent causes by what it says needs no stack.
      onProblem: (problem, error) =>
        this.#ports.onProblem(
          this.#nodeId,
          problem,
          error === undefined ? {} : error instanceof RpcError ? { error: error.message } : { err: error },
        ),
    });
  }

  /** The pin is on disk before the agent is told anything worth protecting. */
  async #greeted(peer: AgentPeer, hello: PanelResult<"hello">, fingerprint: string): Promise<void> {
    const { users, ready, desired, signals, progress } = this.#ports;
    await ready();
    const last = await progress.last(this.#nodeId);
    const { templateId } = await desired(this.#nodeId);
    this.#templateId = templateId;
    if (!this.#held) throw new Superseded("this process does not hold the node any more");
    await this.#deps.send({
      type: "link.opened",
      fingerprint,
      users: users.count(templateId),
      coreVersion: hello.engine.version,
      nodeVersion: hello.agentVersion,
      arch: hello.arch,
      setup: hello.setup,
      engine: hello.engine.kind,
    });
    this.#deps.signal.throwIfAborted();
    this.#greetedAgent = true;
    this.#greetedAt = this.#ports.clock.now();
    this.#silence.watch();
    this.#deps.onGreeted();
    this.#sync = new Sync({
      nodeId: this.#nodeId,
      agent: peer,
      users,
      signals,
      clock: this.#ports.clock,
      desired: async () => {
        const wanted = understoodBy(peer.understands, await desired(this.#nodeId));
        this.#templateId = wanted.templateId;
        return wanted;
      },
      applied: hello.applied,
      last,
      said: hello,
      freed: hello.engine.freed,
      onSynced: (notices) => this.#deps.events().synced(notices),
      onAcknowledged: (word) => progress.heard(this.#nodeId, this.#fence, word),
      onRefused: (message) => this.#deps.events().refused(message),
      onEngine: (engine) => this.#engine.heard(engine),
      onFailed: (error) => this.#giveUp(isFenced(error) ? new Superseded(error.message) : notTaken(error)),
    });
    this.#rulesTold = "";
    this.#tellRules();
    this.#engine.greeted(hello.engine);
    this.#greeting.resolve();
    this.#sync.nudge();
    if (this.#early) this.#beats.offer(this.#early);
    this.#early = undefined;
  }

  /** What the agent said last, at its pace. */
  #beat(heartbeat: Heartbeat): void {
    if (!this.#greetedAgent) return;
    this.#ports.onHeartbeat(this.#nodeId, this.#fence, heartbeat);
    this.#tellRules();
    this.#engine.heard(heartbeat.engine);
    this.#sync?.reported(heartbeat.applied, heartbeat, heartbeat.at, heartbeat.engine.freed);
  }

  /** Compared with every heartbeat: whichever process changed them. An agent begins without any. */
  #tellRules(): void {
    const rules = this.#ports.rules();
    const text = JSON.stringify(rules);
    const peer = this.#peer;
    if (!peer?.understands.method("rules.set") || text === this.#rulesTold) return;
    this.#rulesTold = text;
    peer.call("rules.set", rules).catch((error: unknown) => {
      // The next heartbeat tells it again.
      if (this.#rulesTold === text) this.#rulesTold = "";
      this.#ports.log("debug", "an agent did not take the rules", { nodeId: this.#nodeId, error: String(error) });
    });
  }

  async #admitLedger(bootId: string): Promise<void> {
    try {
      await this.#ports.ledgers.admit(this.#nodeId, bootId);
    } catch (error) {
      if (error instanceof LedgerRefused) this.#deps.events().ledgerRefused(error);
      throw error;
    }
  }

  #giveUp(why: unknown): void {
    this.#lost = why;
    this.#peer?.terminate();
  }

  /** Ends it. `why`: for whoever waits for what it was doing. */
  close(why: string): void {
    this.#silence.stop();
    this.#engine.stop();
    this.#beats.stop();
    this.#early = undefined;
    this.#greeting.reject(new Error(why));
    this.#sync?.stop(new Error(why));
    this.#sync = undefined;
    this.#greetedAgent = false;
    this.#peer?.terminate();
    this.#peer = undefined;
    this.#lost = undefined;
  }
}

/** Rejected when the connection ends before; nobody may be waiting for it then. */
function greetingToCome() {
  const greeting = Promise.withResolvers<void>();
  greeting.promise.catch(() => {});
  return greeting;
}

/** The agent obeys a process with a larger token. */
export function isFenced(error: unknown): error is RpcError {
  return error instanceof RpcError && error.fenced;
}
