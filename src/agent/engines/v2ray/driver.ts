// The v2ray driver: makes v2ray serve a desired state, live where it can, by a second instance beside the first where it cannot.
import type { SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import type {
  ApplyResult,
  CounterReading,
  DesiredState,
  DriverContext,
  EngineDriver,
  EngineInfo,
  EngineStatus,
  SeenAddress,
  UserChange,
} from "../driver.ts";
import { UNKNOWN } from "../process/user-journal.ts";
import { LiveView } from "../process/live-view.ts";
import { writeState } from "../process/state-file.ts";
import { type Screening, screenUsers } from "./accounts.ts";
import { compile, type Compiled, digestOf, populate, type PopulatedInbound, populationWarnings } from "./compile.ts";
import type { Operation, RunningEngine } from "./engine.ts";
import { Cutter } from "./cutter.ts";
import { checkpointPath, EngineSet } from "./engine-set.ts";
import { takenPorts } from "./ports.ts";
import { vetFrame, vetInbounds, type Vetted } from "./vet.ts";

/** More changes of users than this at once are quicker done by a second instance. */
const MOST_LIVE_OPERATIONS = 5000;
const RETRY_MS = { first: 200, longest: 30_000, calmAfter: 60_000 };

export class V2rayDriver implements EngineDriver {
  readonly info: EngineInfo;
  readonly #context: DriverContext;
  readonly #engines: EngineSet;
  readonly #view: LiveView;
  readonly #cutter: Cutter;
  #status: EngineStatus = { state: "stopped" };
  #restarts = 0;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  #desired: DesiredState | undefined;
  #compiled: Compiled | undefined;
  #screening: Screening | undefined;
  /** Warnings of what does not depend on users: found when the structure was last applied. */
  #structureWarnings: readonly string[] = [];
  #vetted: { digest: string; result: Vetted<Compiled> } | undefined;

  constructor(info: EngineInfo, context: DriverContext) {
    this.info = info;
    this.#context = context;
    this.#view = new LiveView({
      directory: context.directory,
      now: () => context.now(),
      inbounds: () => this.#engines.serving?.inbounds ?? [],
      isBlock: (outbound) => this.#engines.blockTags.includes(outbound),
      keep: (checkpoint) => writeState(checkpointPath(context.directory), checkpoint),
      onError: (error) => context.log("warn", "the engine's sessions could not be read", { error: text(error) }),
    });
    this.#engines = new EngineSet({
      context,
      logPath: this.#view.logPath,
      lastWords: () => this.#view.lastWords(),
      onCrash: (engine, words) => this.#crashed(engine, words),
    });
    this.#cutter = new Cutter(this.#view, this.#engines, info.can.closeSessions, context);
  }

  status(): EngineStatus {
    return this.#status;
  }

  restarts(): number {
    return this.#restarts;
  }

  async adopt(): Promise<boolean> {
    return this.#exclusive(async () => {
      const checkpoint = await this.#engines.adopt();
      this.#view.start(checkpoint);
      if (!this.#engines.serving) return false;
      this.#setStatus({ state: "running" });
      return true;
    });
  }

  async apply(desired: DesiredState): Promise<ApplyResult> {
    return this.#exclusive(async () => this.#applyAll(desired));
  }

  async changeUsers(change: UserChange, desired: DesiredState): Promise<ApplyResult> {
    return this.#exclusive(async () => (await this.#applyUsers(change, desired)) ?? this.#applyAll(desired));
  }

  async counters(): Promise<CounterReading> {
    await this.#engines.read();
    const connections = this.#engines.serving && this.info.can.sessions ? await this.#view.connections() : undefined;
    return { instance: this.#engines.instance, users: this.#engines.total(), rejected: this.#view.rejected(), connections };
  }

  async sessions(selection: SessionSelection, limit: number): Promise<{ total: number; rows: SessionRow[] }> {
    if (!this.info.can.sessions || !this.#engines.serving) return { total: 0, rows: [] };
    const rows = await this.#view.sessions(selection);
    return { total: rows.length, rows: rows.slice(0, limit) };
  }

  async closeSessions(selection: SessionSelection): Promise<number> {
    return this.info.can.closeSessions && this.#engines.serving ? this.#view.close(selection) : 0;
  }

  async addresses(userId?: number): Promise<SeenAddress[]> {
    return this.info.can.sessions && this.#engines.serving ? this.#view.addresses(userId) : [];
  }

  async close(how: "detach" | "stop"): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#cutter.stop();
    this.#view.stop();
    await this.#exclusive(async () => {
      if (how === "detach") {
        writeState(checkpointPath(this.#context.directory), this.#view.checkpoint());
        this.#engines.release();
      } else {
        await this.#engines.stop();
        this.#setStatus({ state: "stopped" });
      }
    });
  }

  /** Runs one change at a time: an apply and the mending of a crash must not meet. */
  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
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
      const result = await this.#serve(desired);
      this.#setStatus({ state: result.how === "stopped" ? "stopped" : "running" });
      return result;
    } catch (error) {
      // What serves on is the old state: whoever is to be out must be out of that too.
      if (this.#engines.serving) await this.#dropUsers(this.#engines.serving, desired);
      else {
        this.#setStatus({ state: "failed", message: text(error) });
        this.#retryLater();
      }
      throw error;
    }
  }

  async #dropUsers(serving: RunningEngine, desired: DesiredState): Promise<void> {
    const operations = serving.removals((userId) => !desired.users.has(userId));
    try {
      await serving.perform(operations);
      await this.#cutter.users(operations.map(({ email }) => email));
    } catch (error) {
      this.#context.log("error", "removed users could not be removed from the running engine", { error: text(error) });
    }
  }

  async #serve(desired: DesiredState): Promise<ApplyResult> {
    await this.#engines.prepare();
    const plan = await this.#vet(
      compile(desired.structure, { privateTargets: this.#context.privateTargets, apiPorts: this.#engines.apiPorts }),
    );
    const compiled = plan.value;
    const screening = screenUsers(desired.users);
    const wanted = compiled.inbounds.flatMap((inbound) => populate(inbound, desired.users, screening) ?? []);
    this.#compiled = compiled;
    this.#screening = screening;
    this.#structureWarnings = [...compiled.warnings, ...plan.warnings];
    if (wanted.length === 0) return this.#stopServing(desired);
    const taken = await takenPorts(
      wanted.map(({ inbound }) => inbound),
      this.#openPorts(),
    );
    const free = wanted.filter(({ inbound }) => !taken.has(inbound.port));
    const portWarnings = wanted
      .filter((one) => !free.includes(one))
      .map(({ inbound }) => `inbound ${inbound.tag}: port ${inbound.port} is used by another program`);
    this.#structureWarnings = [...this.#structureWarnings, ...portWarnings];
    const { serving } = this.#engines;
    if (serving && serving.record.frameDigest === compiled.frameDigest) {
      const operations = serving.plannedOperations(free);
      if (operations.length <= MOST_LIVE_OPERATIONS) return this.#changeLive(serving, free, operations, desired);
    }
    return this.#replace(compiled, free, desired);
  }

  /** Asking v2ray costs a process: one frame is asked about once. */
  async #vet(compiled: Compiled): Promise<Vetted<Compiled>> {
    const frame = { ...compiled.frame, version: this.info.version };
    const digest = digestOf(frame);
    if (this.#vetted?.digest !== digest) this.#vetted = { digest, result: await vetFrame({ ...compiled, frameDigest: digest }) };
    const { value, warnings } = this.#vetted.result;
    return { value: { ...compiled, frame: value.frame, frameDigest: value.frameDigest }, warnings };
  }

  async #stopServing(desired: DesiredState): Promise<ApplyResult> {
    const asked = Object.values(desired.structure).filter((object) => object.kind === "inbound").length;
    await this.#engines.stop();
    if (asked > 0 && this.#compiled?.inbounds.length === 0)
      throw new Error(`v2ray can serve none of the inbounds: ${this.#structureWarnings.slice(0, 5).join("; ")}`);
    return { warnings: this.#warnings(desired), how: "stopped" };
  }

  async #changeLive(
    serving: RunningEngine,
    wanted: readonly PopulatedInbound[],
    operations: readonly Operation[],
    desired: DesiredState,
  ): Promise<ApplyResult> {
    const before = this.#openPorts();
    // Users first: whoever is to be out must not wait for a certificate.
    await serving.perform(operations);
    const change = await serving.changeInbounds(wanted, () => this.#engines.save());
    this.#structureWarnings = [...this.#structureWarnings, ...change.warnings];
    await this.#cutter.users(operations.filter(({ cut }) => cut).map(({ email }) => email));
    await this.#cutter.closedPorts(before);
    if (change.changed) await this.#cutter.anonymous(desired);
    this.#engines.blockTags = this.#compiled?.blockTags ?? [];
    return { warnings: this.#warnings(desired), how: operations.length > 0 || change.changed ? "hot" : "unchanged" };
  }

  async #replace(compiled: Compiled, wanted: readonly PopulatedInbound[], desired: DesiredState): Promise<ApplyResult> {
    const vetted = await vetInbounds(compiled, wanted);
    this.#structureWarnings = [...this.#structureWarnings, ...vetted.warnings];
    if (vetted.value.length === 0)
      throw new Error(`v2ray can serve none of the inbounds: ${this.#structureWarnings.slice(0, 5).join("; ")}`);
    const old = this.#engines.serving;
    const before = this.#openPorts();
    if (!old) this.#setStatus({ state: "starting" });
    const fresh = await this.#engines.start(compiled, vetted.value);
    if (!old) return { warnings: this.#warnings(desired), how: "restart" };
    const gone = [...old.carried].filter(([email, digest]) => isVoid(digest, fresh.carried.get(email))).map(([email]) => email);
    await this.#cutter.users(gone);
    await this.#cutter.closedPorts(before);
    await this.#cutter.anonymous(desired);
    return { warnings: this.#warnings(desired), how: "swap" };
  }

  /** Undefined when the change needs more than users added and removed. */
  async #applyUsers(change: UserChange, desired: DesiredState): Promise<ApplyResult | undefined> {
    const { serving } = this.#engines;
    const compiled = this.#compiled;
    const before = this.#screening;
    if (!serving || !compiled || !before || serving.record.frameDigest !== compiled.frameDigest) return undefined;
    const screening = screenUsers(desired.users);
    if (!sameIds(before.withoutUuid, screening.withoutUuid) || !sameIds(before.withoutPassword, screening.withoutPassword))
      return undefined;
    const wanted = compiled.inbounds.flatMap(
      (inbound) => populate(inbound, inbound.accounts.kind === "live" ? new Map() : desired.users, screening) ?? [],
    );
    const settled = (populated: PopulatedInbound): boolean =>
      serving.inbounds.some((open) => open.id === populated.inbound.id && open.digest === populated.digest);
    // Inbounds with fixed users differ with every user: the whole way exchanges them.
    if (serving.inbounds.length !== wanted.length || !wanted.every(settled)) return undefined;
    const operations = serving.operationsFor(compiled.inbounds, change.put, change.drop, screening);
    if (operations.length > MOST_LIVE_OPERATIONS) return undefined;
    this.#desired = desired;
    this.#screening = screening;
    await serving.perform(operations);
    await this.#cutter.users(operations.filter(({ cut }) => cut).map(({ email }) => email));
    return { warnings: this.#warnings(desired), how: operations.length > 0 ? "hot" : "unchanged" };
  }

  #warnings(desired: DesiredState): string[] {
    const population = this.#compiled ? populationWarnings(this.#compiled, desired.users) : [];
    const blind = this.info.can.closeSessions
      ? []
      : ["open connections of a removed user cannot be cut here (`ss -K` needs CAP_NET_ADMIN); he keeps them until they end"];
    return [...this.#structureWarnings, ...population, ...(this.#screening?.warnings ?? []), ...blind];
  }

  #openPorts(): Set<number> {
    return new Set(this.#engines.serving?.inbounds.map((inbound) => inbound.port));
  }

  #crashed(engine: RunningEngine, words: string): void {
    this.#context.log("error", "v2ray died", { pid: engine.identity.pid, words });
    if (this.#context.now() - this.#engines.startedAt > RETRY_MS.calmAfter) this.#failures = 0;
    this.#setStatus({ state: "failed", message: `v2ray died by itself${words === "" ? "" : `; its last words: ${words}`}` });
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    const wait = Math.min(RETRY_MS.longest, RETRY_MS.first * 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => {
      const mended = this.#exclusive(async () => {
        // Without a desired state yet, the first apply will start the engine.
        if (this.#closed || this.#engines.serving || !this.#desired) return;
        await this.#applyAll(this.#desired);
        this.#restarts += 1;
      });
      mended.catch((error: unknown) => this.#context.log("error", "v2ray could not be started again", { error: text(error) }));
    }, wait);
    this.#retry.unref();
  }
}

/** Whether what was opened under a secret must be closed, given the digest of the one that holds now. Nothing is known of an account in doubt. */
function isVoid(before: string, now: string | undefined): boolean {
  return now === undefined || (before !== UNKNOWN && before !== now);
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sameIds(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}
