// The node that a real agent serves: its engine, ledger and host behind the interface that links speak to.
import { MAX_WARNINGS } from "../protocol/messages.ts";
import type { Heartbeat, PanelParams, PanelResult, UsageBatch } from "../protocol/messages.ts";
import type { Activity } from "./activity.ts";
import type { DesiredStore } from "./desired-store.ts";
import type { EngineRunner } from "./engine-runner.ts";
import type { Fence, FenceFile } from "./fence.ts";
import { hostArch, hostSetup } from "./host.ts";
import type { HostMeter } from "./host.ts";
import type { Ledger } from "./ledger.ts";
import type { News, ServedNode } from "./served-node.ts";
import { AGENT_VERSION } from "./version.ts";
import { type AgentNotice, hostNotice, told } from "./notices.ts";

export interface AgentNodeParts {
  readonly agentId: string;
  readonly fence: FenceFile;
  readonly runner: EngineRunner;
  readonly store: DesiredStore;
  readonly ledger: Ledger;
  readonly activity: Activity;
  readonly host: HostMeter;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setRules: (rules: PanelParams<"rules.set">) => void;
}

export class AgentNode implements ServedNode {
  readonly agentVersion = AGENT_VERSION;
  readonly arch = hostArch();
  readonly setup = hostSetup();
  readonly #parts: AgentNodeParts;
  #listener: (news: News) => void = () => undefined;

  constructor(parts: AgentNodeParts) {
    this.#parts = parts;
  }

  get fence(): Fence {
    return this.#parts.fence;
  }

  get agentId(): string {
    return this.#parts.agentId;
  }

  ledger(): { bootId: string; acknowledged: number } {
    return { bootId: this.#parts.ledger.bootId, acknowledged: this.#parts.ledger.acknowledged };
  }

  engine(): ReturnType<EngineRunner["report"]> {
    return this.#parts.runner.report();
  }

  applied(): Heartbeat["applied"] {
    return this.#parts.runner.applied();
  }

  notices(): readonly AgentNotice[] {
    const { fence, ledger, runner } = this.#parts;
    const disk = [
      ...(ledger.behind ? [hostNotice("disk_refuses_ledger")] : []),
      ...(fence.behind ? [hostNotice("disk_refuses_fence")] : []),
    ];
    return [...disk, ...runner.notices()].slice(0, MAX_WARNINGS);
  }

  digests(): PanelResult<"state.digests"> {
    return this.#parts.store.plan.digests();
  }

  async report(): Promise<PanelResult<"state.report">> {
    await this.#parts.runner.tryHeld();
    await this.#parts.runner.settled();
    return { applied: this.applied(), ...told(this.notices()), engine: this.engine() };
  }

  apply(change: PanelParams<"state.apply">, allowed: () => void): Promise<PanelResult<"state.apply">> {
    return this.#parts.runner.apply(change, allowed);
  }

  listSessions(params: PanelParams<"sessions.list">): Promise<PanelResult<"sessions.list">> {
    return this.#parts.runner.sessions(params);
  }

  closeSessions(selection: PanelParams<"sessions.close">): Promise<PanelResult<"sessions.close">> {
    return this.#parts.runner.closeSessions(selection);
  }

  listAddresses({ userId }: PanelParams<"addresses.list">): Promise<PanelResult<"addresses.list">> {
    return this.#parts.runner.addresses(userId);
  }

  setRules(rules: PanelParams<"rules.set">): void {
    this.#parts.setRules(rules);
  }

  async stop(allowed: () => void): Promise<PanelResult<"engine.stop">> {
    await this.#parts.runner.stop(allowed);
    return { stopped: true };
  }

  async heartbeat(): Promise<Heartbeat> {
    const { activity, host, now, runner } = this.#parts;
    const figures = await host.read();
    const at = Math.floor(now() / 1000);
    const engine = runner.report();
    const live = { ...figures, ...activity.figures(), engineRestarts: engine.restarts };
    return { at, live, engine, applied: this.applied(), ...told(this.notices()), online: activity.online(at) };
  }

  nextBatch(): UsageBatch | undefined {
    return this.#parts.ledger.next();
  }

  acknowledge(seq: number): Promise<void> {
    return this.#parts.ledger.acknowledge(seq);
  }

  onNews(listener: (news: News) => void): void {
    this.#listener = listener;
  }

  /** Passed on to the writer among the links. */
  tell(news: News): void {
    this.#listener(news);
  }
}
