// The driver of all process engines, as the agent sees it: one change at a time, status, mending of crashes, what is
// read and closed.
import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";
import type { SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import type {
  ApplyResult,
  CounterReading,
  DesiredState,
  DriverContext,
  EngineDriver,
  EngineInfo,
  EngineStatus,
  HeldPort,
  SeenAddress,
  UserChange,
} from "../contract/driver.ts";
import { openPortMap } from "../portmap/index.ts";
import { checkpointPath } from "./lifecycle/adoption.ts";
import { Cutter } from "./view/cutter.ts";
import type { Dialect } from "./dialect.ts";
import { EngineSet } from "./lifecycle/engine-set.ts";
import { LiveView } from "./view/live-view.ts";
import { LivingEngines } from "./lifecycle/living-engines.ts";
import type { RunningEngine } from "./lifecycle/running-engine.ts";
import { Serving } from "./change/serving.ts";
import { canCutSockets } from "./view/sockets.ts";
import { writeState } from "./state/state-file.ts";
import { UserLimits } from "./change/user-limits.ts";
import { type AgentNotice, hostNotice } from "../../notices.ts";

const RETRY_MS = { first: 200, longest: 30_000, calmAfter: 5000 };
/** How long a running change may take when the driver closes. */
const CHANGE_MS = 300;

export class ProcessDriver implements EngineDriver {
  readonly info: EngineInfo;
  readonly #context: DriverContext;
  readonly #engines: EngineSet;
  readonly #view: LiveView;
  readonly #cutter: Cutter;
  readonly #limits: UserLimits;
  readonly #serving: Serving;
  #status: EngineStatus = { state: "stopped" };
  #restarts = 0;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  /** One change at a time. */
  readonly #changes = new PQueue({ concurrency: 1 });
  #closed = false;
  /** What an earlier agent left undone with the engine's users is not known to be done yet. */
  #adopted = false;
  #desired: DesiredState | undefined;

  /** `openMap`: opens the kernel's port map, if there is one. */
  constructor(
    dialect: Dialect,
    info: EngineInfo,
    context: DriverContext,
    openMap = async () =>
      openPortMap(context.directory, (level, message, fields) => context.log(level, message, fields)),
  ) {
    this.info = info;
    this.#context = context;
    const engines = new EngineSet({
      dialect,
      context,
      logPath: () => this.#view.logPath,
      openPortMap: openMap,
      lastWords: () => this.#view.lastWords(),
      onCrash: (engine, reason) => this.#crashed(engine, reason),
    });
    const living = new LivingEngines(engines, dialect.abilities.keepsQuicUsers, async (inboundId) =>
      this.#exclusive(async () => {
        if (this.#desired) await this.#serving.reopen(inboundId, this.#desired);
      }),
    );
    this.#engines = engines;
    this.#view = new LiveView({
      directory: context.directory,
      now: () => context.now(),
      ipLimitNewest: () => context.ipLimitNewest?.() ?? false,
      engines: living,
      able: canCutSockets,
      lineReader: () => dialect.lineReader(),
      isBlock: (outbound) => engines.blockTags.includes(outbound),
      keep: (checkpoint) => writeState(checkpointPath(context.directory), checkpoint),
      onError: (error) => context.log("warn", "the engine's sessions could not be read", { error: text(error) }),
    });
    this.#cutter = new Cutter(this.#view, living, context);
    this.#limits = new UserLimits(context, this.#view, info.can.sessions);
    this.#serving = new Serving({
      dialect,
      info,
      context,
      engines,
      living,
      cutter: this.#cutter,
      limits: this.#limits,
      onStarting: () => this.#setStatus({ state: "starting" }),
      later: (wait) => this.#applyLater(wait, false),
    });
  }

  status(): EngineStatus {
    return this.#status;
  }

  restarts(): number {
    return this.#restarts;
  }

  passing(): readonly AgentNotice[] {
    return this.#engines.behind ? [hostNotice("disk_refuses_engine")] : [];
  }

  heldPorts(): readonly HeldPort[] {
    return this.#serving.held;
  }

  async adopt(): Promise<boolean> {
    return this.#exclusive(async () => {
      const checkpoint = await this.#engines.adopt();
      this.#view.start(checkpoint);
      if (!this.#engines.serving) return false;
      this.#adopted = true;
      this.#setStatus({ state: "running" });
      return true;
    });
  }

  async apply(desired: DesiredState): Promise<ApplyResult> {
    return this.#exclusive(async () => this.#applyAll(desired));
  }

  async changeUsers(change: UserChange, desired: DesiredState): Promise<ApplyResult> {
    return this.#exclusive(async () => {
      const result = await this.#serving.changeUsers(change, desired);
      if (!result) return this.#applyAll(desired);
      this.#desired = desired;
      return result;
    });
  }

  async counters(): Promise<CounterReading> {
    if (!this.#closed) await this.#engines.read();
    const connections =
      this.#engines.serving && this.info.can.sessions && !this.#closed ? await this.#connections() : undefined;
    return {
      instance: this.#engines.instance,
      users: this.#engines.total(),
      rejected: this.#view.rejected(),
      connections,
    };
  }

  /** What counts must not hang on what is only shown: a log that cannot be read, for example. */
  async #connections(): Promise<number | undefined> {
    try {
      return await this.#view.connections();
    } catch (error) {
      this.#context.log("debug", "the engine's connections could not be counted", { error: text(error) });
      return undefined;
    }
  }

  async sessions(selection: SessionSelection, limit: number): Promise<{ total: number; rows: SessionRow[] }> {
    if (!this.info.can.sessions || !this.#engines.serving) return { total: 0, rows: [] };
    const rows = await this.#view.sessions(selection);
    return { total: rows.length, rows: rows.slice(0, limit) };
  }

  async closeSessions(selection: SessionSelection): Promise<number> {
    return this.#engines.serving ? this.#view.close(selection) : 0;
  }

  async addresses(userId?: number): Promise<SeenAddress[]> {
    return this.info.can.sessions && this.#engines.serving ? this.#view.addresses(userId) : [];
  }

  async close(how: "detach" | "stop"): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#cutter.stop();
    this.#view.stop();
    // What hangs is given up: the agent must be gone in time.
    const idle = await Promise.race([this.#changes.onIdle().then(() => true), delay(CHANGE_MS, false, { ref: false })]);
    if (!idle) this.#engines.abort();
    await this.#changes.onIdle();
    if (how === "detach") {
      writeState(checkpointPath(this.#context.directory), this.#view.checkpoint());
      this.#engines.release();
      this.#limits.detach();
    } else {
      await this.#engines.stop();
      await this.#limits.remove();
      this.#setStatus({ state: "stopped" });
    }
  }

  /** Runs one change at a time: an apply and the recovery from a crash must not run at the same time. */
  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.add(async () => {
      if (this.#closed) throw new Error("the driver is closed");
      return work();
    });
  }

  #setStatus(status: EngineStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    this.#context.onStatus(status);
  }

  async #applyAll(desired: DesiredState): Promise<ApplyResult> {
    clearTimeout(this.#retry);
    this.#desired = desired;
    try {
      const result = await this.#serving.apply(desired);
      this.#setStatus({ state: result.how === "stopped" ? "stopped" : "running" });
      if (this.#adopted) await this.#cutter.disconnectUnknown();
      this.#adopted = false;
      return result;
    } catch (error) {
      // The old state still runs: removed users must be disconnected from it too.
      if (this.#engines.serving) await this.#serving.dropUsers(this.#engines.serving, desired);
      else {
        this.#setStatus({ state: "failed", message: text(error) });
        this.#mendLater();
      }
      throw error;
    }
  }

  #crashed(engine: RunningEngine, reason: string): void {
    this.#context.log("error", "an engine is gone", { pid: engine.identity.pid, reason });
    if (this.#context.now() - this.#engines.startedAt > RETRY_MS.calmAfter) this.#failures = 0;
    this.#setStatus({ state: "failed", message: reason });
    this.#mendLater();
  }

  #backOff(): number {
    const wait = Math.min(RETRY_MS.longest, RETRY_MS.first * 2 ** this.#failures);
    this.#failures += 1;
    return wait;
  }

  #mendLater(): void {
    this.#applyLater(this.#backOff(), true);
  }

  /**
   * Applies what is desired then; `mending`: if no engine serves by then. Without a desired state yet, the first apply
   * will start the engine.
   */
  #applyLater(wait: number, mending: boolean): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      const applied = this.#exclusive(async () => {
        if (!this.#desired || (mending && this.#engines.serving)) return;
        await this.#applyAll(this.#desired);
        if (mending) this.#restarts += 1;
      });
      applied.catch((error: unknown) => {
        if (this.#closed) return;
        this.#context.log("error", "the engine could not be brought to what is desired", { error: text(error) });
        // A swap that had to wait, and failed: the old process serves on.
        if (this.#engines.serving) this.#applyLater(this.#backOff(), false);
      });
    }, wait);
    this.#retry.unref();
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
