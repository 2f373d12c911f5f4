// Keeps the engine carrying the desired state: one queue for everything that changes it, the state on disk after the
// engine took it, tries again while the engine refuses.
//
// During a change the plan is ahead of the engine, and a step that the engine refuses is reverted. The applied digests
// and the warnings describe what the engine has really done; both change together.
import PQueue from "p-queue";
import { MAX_ADDRESSES, MAX_WARNINGS, RpcErrorCode } from "../protocol/messages.ts";
import type { AppliedState, EngineReport, PanelParams, PanelResult } from "../protocol/messages.ts";
import { RpcError } from "../protocol/rpc-error.ts";
import { DesiredPlan } from "./desired-state.ts";
import type { Step } from "./desired-state.ts";
import type { DesiredStore } from "./desired-store.ts";
import type { CounterReading, DesiredState, DriverContext, EngineDriver, HeldPort } from "./engines/contract/driver.ts";
import { canListen, type EngineChoice } from "./engines/index.ts";
import { PortWatch } from "./port-watch.ts";
import { screen } from "./screen.ts";
import type { Screened } from "./screen.ts";
import { type AgentNotice, hostNotice, bounded, shortened, told } from "./notices.ts";

/** Maximum characters of a failure's message: an engine's own words may fill pages. */
const TEXT_LENGTH = 900;
/** Limit for the last counter reading at shutdown. */
const LAST_READING_MS = 1000;
/** Limit for a running change at shutdown: the agent has 5 s in all. */
const CHANGE_MS = 300;
/** Limit for a counter reading before a new state is applied: the panel does not wait longer for an answer. */
const READING_MS = 10_000;
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000, 60_000];

export interface EngineRunnerOptions {
  readonly choice: EngineChoice;
  readonly context: Omit<DriverContext, "onStatus">;
  readonly store: DesiredStore;
  /** Reads the counters into the ledger; called before what may end an engine's life. */
  readonly readCounters: () => Promise<void>;
  readonly onProblem: (problem: string, error?: unknown) => void;
  readonly onStatus: () => void;
}

export class EngineRunner {
  readonly #options: EngineRunnerOptions;
  readonly #queue = new PQueue({ concurrency: 1 });
  /** Undefined after `engine.stop`, until there is something to serve again. */
  #driver: EngineDriver | undefined;
  /** Whether the engine carries the plan. */
  #served = false;
  #failure = "";
  #applied: AppliedState = new DesiredPlan().applied();
  #warnings: readonly AgentNotice[] = [];
  /** The part of the plan's structure that engines may see. */
  #screened: Screened = { structure: {}, warnings: [] };
  readonly #ports = new PortWatch({ canListen, onTime: () => this.tryHeld() });
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;
  /** An engine that has just been ended, while its last counters are taken over. */
  #ended: EngineDriver | undefined;

  constructor(options: EngineRunnerOptions) {
    this.#options = options;
  }

  /**
   * Adopts an engine that outlived the agent before, then makes it serve the stored state. Resolves when it does, or
   * when it was refused (then it is tried again).
   */
  async start(): Promise<void> {
    await this.#queue.add(async () => {
      const driver = this.#create();
      let adopted = false;
      try {
        adopted = await driver.adopt();
      } catch (error) {
        this.#options.onProblem("an engine of the agent before could not be adopted", error);
      }
      // What it counted while no agent ran, before anything may replace it.
      if (adopted) await this.#options.readCounters();
      if (adopted || !this.#options.store.plan.empty) await this.#serve();
      else this.#carries([]);
    });
  }

  report(): EngineReport {
    const { kind, version } = this.#options.choice.info;
    const restarts = this.#driver?.restarts() ?? 0;
    const about = { kind, version, restarts, freed: this.#ports.freed };
    const status = this.#driver?.status() ?? { state: "stopped" as const };
    if (status.state === "failed")
      return { ...about, state: "failed", message: shortened(status.message, TEXT_LENGTH) };
    if (this.#failure !== "") return { ...about, state: "failed", message: this.#failure };
    return { ...about, state: status.state, message: "" };
  }

  /**
   * What the engine carries: of an agent that starts nothing until the engine has taken what is stored, or refused it,
   * which `report` says then.
   */
  applied(): AppliedState {
    return this.#applied;
  }

  /** Notices about the parts of `applied` that are not served, and about what the disk refuses. */
  notices(): AgentNotice[] {
    const disk = this.#options.store.behind ? [hostNotice("disk_refuses_state")] : [];
    return [...disk, ...(this.#driver?.passing?.() ?? []), ...this.#warnings].slice(0, MAX_WARNINGS).map(bounded);
  }

  /**
   * Carries out a change, in its turn. Rejects with `engine` when the engine refuses everything; then nothing has
   * changed.
   */
  async apply(change: PanelParams<"state.apply">, allowed: () => void): Promise<PanelResult<"state.apply">> {
    return this.#queue.add(async () => {
      allowed();
      const { plan } = this.#options.store;
      this.#ports.refused([]);
      const step = plan.plan(change);
      const back = plan.take(step);
      try {
        await this.#carryOut(step);
      } catch (error) {
        plan.take(back);
        this.#ports.refused(this.#heldPorts());
        this.#failed(error);
        throw new RpcError(RpcErrorCode.engine, textOf(error), { cause: error });
      }
      await this.#options.store.keep(step);
      return { applied: this.#applied, ...told(this.notices()), engine: this.report() };
    });
  }

  /**
   * Looks at the ports that keep inbounds from being served, and serves what can be served again. Resolves when that is
   * done; never rejects.
   */
  async tryHeld(): Promise<void> {
    if (this.#closed || this.#ports.idle) return;
    await this.#queue.add(async () => {
      if (this.#closed) return;
      const { again, freed } = await this.#ports.look(this.#heldPorts());
      if (again) await this.#serve();
      else if (freed) this.#options.onStatus();
    });
  }

  /** Resolves when the changes asked for so far are carried out or refused. */
  async settled(): Promise<void> {
    await this.#queue.add(() => undefined);
  }

  /** Tries again to store what the disk refused. Never rejects. */
  async mend(): Promise<void> {
    if (this.#options.store.behind && !this.#closed) await this.#queue.add(() => this.#options.store.mend());
  }

  /** Ends the engine and forgets the desired state. */
  async stop(allowed: () => void): Promise<void> {
    await this.#queue.add(async () => {
      allowed();
      await this.#end("stop");
      await this.#options.store.clear();
      this.#screened = { structure: {}, warnings: [] };
      this.#carries([]);
    });
  }

  /** Undefined while no engine runs. */
  async counters(): Promise<CounterReading | undefined> {
    if (this.#ended) return this.#ended.counters();
    return this.#driver?.status().state === "running" ? this.#driver.counters() : undefined;
  }

  async sessions({ limit, ...selection }: PanelParams<"sessions.list">): Promise<PanelResult<"sessions.list">> {
    if (!this.#options.choice.info.can.sessions) return { supported: false, total: 0, truncated: false, rows: [] };
    const { total, rows } = (await this.#driver?.sessions(selection, limit)) ?? { total: 0, rows: [] };
    return { supported: true, total, truncated: total > rows.length, rows };
  }

  async closeSessions(selection: PanelParams<"sessions.close">): Promise<PanelResult<"sessions.close">> {
    if (!this.#options.choice.info.can.closeSessions) return { supported: false, closed: 0 };
    return { supported: true, closed: (await this.#driver?.closeSessions(selection)) ?? 0 };
  }

  async addresses(userId: number | undefined): Promise<PanelResult<"addresses.list">> {
    const rows = (await this.#driver?.addresses(userId)) ?? [];
    if (rows.length <= MAX_ADDRESSES) return { rows };
    return { rows: rows.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt).slice(0, MAX_ADDRESSES) };
  }

  /** Last act: leaves or ends the engine, after the change in work unless that hangs. */
  async close(how: "detach" | "stop"): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#ports.stop();
    const begun = Promise.withResolvers<"begun">();
    const inTurn = this.#queue.add(() => {
      begun.resolve("begun");
      return this.#end(how);
    });
    // Closing the driver also ends what hangs, and reads what can be read; the turn that comes then finds nothing left
    // to do.
    if ((await within(CHANGE_MS, begun.promise)) === "begun") await inTurn;
    else await this.#endDriver(how);
  }

  #create(): EngineDriver {
    if (this.#closed) throw new Error("the agent stops");
    const { choice, context, onStatus } = this.#options;
    this.#driver ??= choice.factory.create(choice.info, { ...context, onStatus: () => onStatus() });
    return this.#driver;
  }

  async #carryOut(step: Step): Promise<void> {
    const objects = Object.keys(step.objects.put).length + step.objects.drop.length;
    const users = step.users.put.length + step.users.drop.length;
    if (this.#served && objects === 0 && users === 0) return this.#carriesOn();
    const dropped = step.users.drop.length > 0;
    if (!this.#served || objects > 0) return this.#applyAll(dropped);
    try {
      const { warnings } = await this.#create().changeUsers(step.users, this.#permitted());
      // What the dropped ones used is in the ledger before the panel hears that they are dropped: from then on it waits
      // for one more batch with them, not for any.
      if (dropped) await within(READING_MS, this.#options.readCounters());
      this.#carries(warnings);
    } catch (error) {
      this.#options.onProblem("users could not be changed in the running engine; the whole state is applied", error);
      await this.#applyAll(dropped);
    }
  }

  async #applyAll(dropped = false): Promise<void> {
    await within(READING_MS, this.#options.readCounters());
    const { store, context } = this.#options;
    this.#screened = screen(store.plan.state.structure, context.privateTargets);
    const { warnings } = await this.#create().apply(this.#permitted());
    if (dropped) await within(READING_MS, this.#options.readCounters());
    this.#carries(warnings);
    this.#served = true;
    this.#failure = "";
    this.#failures = 0;
    clearTimeout(this.#retry);
  }

  /** What is desired, as far as this host allows it. */
  #permitted(): DesiredState {
    return { structure: this.#screened.structure, users: this.#options.store.plan.state.users };
  }

  /** The plan is what the engine carries now. `warnings`: the engine's own. */
  #carries(warnings: readonly AgentNotice[]): void {
    this.#warnings = [...this.#screened.warnings, ...warnings];
    this.#applied = this.#options.store.plan.applied();
    this.#ports.leftOut(this.#heldPorts());
  }

  #heldPorts(): readonly HeldPort[] {
    return this.#driver?.heldPorts?.() ?? [];
  }

  /** The same as before, as far as the engine goes. */
  #carriesOn(): void {
    this.#applied = this.#options.store.plan.applied();
  }

  /** Applies what is stored; a refusal is reported and tried again. */
  async #serve(): Promise<void> {
    try {
      await this.#applyAll();
    } catch (error) {
      this.#failed(error);
      this.#carriesOn();
      this.#ports.leftOut(this.#heldPorts());
    }
    this.#options.onStatus();
  }

  #failed(error: unknown): void {
    this.#served = false;
    this.#failure = textOf(error);
    this.#options.onProblem("the engine refused the desired state", error);
    if (this.#closed) return;
    clearTimeout(this.#retry);
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
    this.#failures += 1;
    this.#retry = setTimeout(
      () => void this.#queue.add(async () => (this.#served || this.#closed ? undefined : this.#serve())),
      wait,
    );
  }

  async #end(how: "detach" | "stop"): Promise<void> {
    clearTimeout(this.#retry);
    this.#ports.stop();
    await within(LAST_READING_MS, this.#options.readCounters());
    await this.#endDriver(how);
  }

  async #endDriver(how: "detach" | "stop"): Promise<void> {
    const driver = this.#driver;
    this.#driver = undefined;
    this.#served = false;
    this.#failure = "";
    if (driver === undefined) return;
    await driver.close(how);
    if (how === "detach") return;
    // What went through it between that reading and its end.
    this.#ended = driver;
    await within(LAST_READING_MS, this.#options.readCounters());
    this.#ended = undefined;
  }
}

function textOf(error: unknown): string {
  return shortened(error instanceof Error ? error.message : String(error), TEXT_LENGTH);
}

/** What the work resolves to; undefined when it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
