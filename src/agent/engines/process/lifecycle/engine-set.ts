// The processes of one driver: the one that serves, those that finish their connections, and what the next agent must
// know of them.
import { randomUUID } from "node:crypto";
import type { DriverContext } from "../../contract/driver.ts";
import type { PortMap } from "../../../net-admin/nft/port-map.ts";
import { adoptEngines } from "./adoption.ts";
import { type ByteCount, CounterTally } from "../state/counter-tally.ts";
import type { Compiled, Dialect, Endpoint, PopulatedInbound } from "../dialect.ts";
import { DRAIN_MS, Draining } from "./draining.ts";
import { Endpoints } from "../ports/endpoints.ts";
import { EngineWatch } from "./engine-watch.ts";
import { endProcess } from "./identity.ts";
import { InboundPlaces, leadTo } from "./inbound-places.ts";
import type { LiveViewStart } from "../view/live-view.ts";
import { PublicPorts } from "../ports/public-ports.ts";
import type { RunningEngine } from "./running-engine.ts";
import { END_GRACE_MS, startEngine } from "./start.ts";
import { type DriverState, packCounters } from "../state/driver-state.ts";
import { StateKeeper } from "./state-keeper.ts";

const LAST_READING_MS = 1000;
/** Between SIGTERM and SIGKILL for one that does not answer. */
const HUNG_GRACE_MS = 300;

export interface EngineSetOptions {
  readonly dialect: Dialect;
  readonly context: DriverContext;
  /** The file that engines log to. */
  logPath(): string;
  /** The kernel's port map, if the agent may use it. */
  openPortMap(): Promise<PortMap | undefined>;
  /** What engines wrote last, other than access lines. */
  lastWords(): string;
  /** The serving engine crashed, or was killed because it hung. */
  onCrash(engine: RunningEngine, reason: string): void;
}

export class EngineSet {
  readonly #options: EngineSetOptions;
  /** Where the inbounds of all its processes listen. */
  readonly inbounds: InboundPlaces;
  readonly #endpoints: Endpoints;
  readonly #ports: PublicPorts;
  readonly #draining: Draining;
  readonly #watch: EngineWatch;
  readonly #disk: StateKeeper;
  /** Aborted when the driver closes: this cancels a running start. */
  readonly #closing = new AbortController();
  #tally = new CounterTally(randomUUID());
  #serving: RunningEngine | undefined;
  #starting: RunningEngine | undefined;
  #blockTags: readonly string[] = [];
  readonly #ending = new Map<RunningEngine, Promise<void>>();
  /** Unix milliseconds at which the serving engine was started or adopted. */
  startedAt = 0;

  constructor(options: EngineSetOptions) {
    const { dialect, context } = options;
    this.#options = options;
    this.#endpoints = new Endpoints(context.directory, dialect.abilities.apiPorts);
    this.#ports = new PublicPorts(dialect.abilities, async () => options.openPortMap());
    this.#draining = new Draining({
      context,
      portMap: () => this.#ports.map,
      serving: () => this.#serving,
      finish: async (engine) => this.#finish(engine),
      close: async (engine, retired) => engine.closeInbound(retired, () => this.save()),
    });
    this.inbounds = new InboundPlaces({
      context,
      ports: this.#ports,
      draining: this.#draining,
      engines: () => this.#all(),
      apiPorts: () => this.apiPorts,
      save: () => this.save(),
    });
    this.#disk = new StateKeeper(context, () => this.save());
    this.#watch = new EngineWatch(context, {
      gone: (engine) => this.#exited(engine),
      hung: async (engine, reason) => this.#hung(engine, reason),
    });
  }

  get serving(): RunningEngine | undefined {
    return this.#serving;
  }

  get draining(): readonly RunningEngine[] {
    return this.#draining.engines;
  }

  get instance(): string {
    return this.#tally.instance;
  }

  get apiPorts(): readonly number[] {
    return this.#endpoints.ports;
  }

  get ports(): PublicPorts {
    return this.#ports;
  }

  get blockTags(): readonly string[] {
    return this.#blockTags;
  }

  set blockTags(tags: readonly string[]) {
    if (tags.join("\n") === this.#blockTags.join("\n")) return;
    this.#blockTags = tags;
    this.save();
  }

  /** Sees to what must be there before anything is compiled. `avoid`: ports that inbounds ask for. */
  async prepare(avoid: ReadonlySet<number>): Promise<void> {
    await this.#endpoints.prepare(avoid);
  }

  /**
   * Takes over engines that outlived their agent and ends all others of this directory. Resolves to where the log view
   * goes on.
   */
  async adopt(): Promise<LiveViewStart | undefined> {
    const adopted = await adoptEngines(this.#options.dialect, this.#options.context);
    if (!adopted) return undefined;
    const { state, tally, serving, draining, checkpoint } = adopted;
    this.#endpoints.restore(state.apiPorts, state.socketDirectory);
    this.#blockTags = state.blockTags;
    this.#tally = tally;
    await this.inbounds.openMapFor([...(serving ? [serving] : []), ...draining]);
    if (serving) {
      serving.markServing();
      this.#serve(serving);
      await leadTo(this.#ports, serving, draining).catch((error: unknown) => {
        this.#options.context.log("error", "the port map could not be brought to the adopted engine", {
          error: String(error),
        });
      });
    }
    for (const engine of draining) {
      const { starting, drainUntil } = engine.record;
      if (drainUntil === undefined) engine.markDraining(this.#options.context.now() + DRAIN_MS);
      this.#drain(engine);
      // It had opened its ports, perhaps, but was never told of to anybody.
      if (starting) await engine.closeShared().catch(async () => this.#finish(engine));
    }
    if (serving && serving.retired.length > 0) this.#draining.watch();
    this.save();
    return checkpoint;
  }

  /**
   * Starts an engine with these inbounds. The one that served until now hands its ports over and finishes its
   * connections; where that is not possible it is ended first (`restart`). Throws with the engine's reason; where the
   * old one was not ended it serves on.
   */
  async start(
    compiled: Compiled,
    inbounds: readonly PopulatedInbound[],
  ): Promise<{ engine: RunningEngine; how: "swap" | "restart" }> {
    await this.#draining.makeRoom();
    const shared = this.#serving === undefined || this.inbounds.canHandOver(inbounds);
    if (!shared && this.#serving) await this.#finish(this.#serving);
    const old = this.#serving;
    const engine = await this.#launch(compiled, inbounds, old).catch(async (error: unknown) => {
      // Between a look at an inner port and its use another program may have taken it: other ports then.
      if (
        this.#closing.signal.aborted ||
        !/address already in use/i.test(String(error)) ||
        !this.inbounds.isMapped(inbounds)
      )
        throw error;
      return this.#launch(compiled, inbounds, old);
    });
    engine.markServing();
    this.#blockTags = compiled.blockTags;
    this.#serve(engine);
    if (old) {
      old.markDraining(this.#options.context.now() + DRAIN_MS);
      this.#drain(old);
    }
    this.save();
    if (old) await old.closeShared().catch(async () => this.#finish(old));
    return { engine, how: old ? "swap" : "restart" };
  }

  /** Starts a process and points the port map at it. */
  async #launch(
    compiled: Compiled,
    inbounds: readonly PopulatedInbound[],
    old: RunningEngine | undefined,
  ): Promise<RunningEngine> {
    const places = await this.inbounds.place(inbounds);
    const placed = inbounds.flatMap((populated, index) => (places[index] ? [{ populated, place: places[index] }] : []));
    try {
      const engine = await startEngine(
        this.#options,
        compiled,
        placed,
        async (id) => this.#endpointFor(id),
        this.#closing.signal,
        (spawned) => {
          this.#starting = spawned;
          this.save();
        },
      );
      await leadTo(this.#ports, engine, [...(old ? [old] : []), ...this.draining]).catch(async (error: unknown) => {
        engine.forget();
        await endProcess(engine.identity, END_GRACE_MS);
        throw error;
      });
      this.#starting = undefined;
      return engine;
    } catch (error) {
      if (this.#starting) this.#endpoints.free(this.#starting.record.endpoint);
      this.#starting = undefined;
      this.save();
      throw error;
    }
  }

  /** Reads every engine's counters; one that does not answer keeps its last reading. */
  async read(timeoutMs?: number): Promise<void> {
    await Promise.all([...this.#all()].map(async (engine) => this.#readOne(engine, timeoutMs)));
  }

  total(): Map<string, ByteCount> {
    return this.#tally.total();
  }

  /** Cancels all running work: a start ends, and calls to engines that do not answer fail. */
  abort(): void {
    this.#closing.abort(new Error("the driver closes"));
    for (const engine of [...(this.#starting ? [this.#starting] : []), ...this.#all()]) engine.giveUp();
  }

  /** Ends all engines after a last reading. */
  async stop(): Promise<void> {
    this.#draining.stop();
    await Promise.all([...this.#all()].map(async (engine) => this.#finish(engine)));
    await this.#ports.remove();
    this.#endpoints.remove();
    this.#disk.remove();
  }

  /** Leaves all engines to the next agent. */
  release(): void {
    this.#draining.stop();
    this.save();
    this.#disk.stop();
    for (const engine of this.#all()) engine.release();
    this.#ports.detach();
  }

  /** The disk refuses what the next agent must know. */
  get behind(): boolean {
    return this.#disk.behind;
  }

  /** Writes down what the next agent must know. Never throws. */
  save(): void {
    const living = [...(this.#starting ? [this.#starting] : []), ...this.#all()];
    const state: DriverState = {
      version: 2,
      instance: this.#tally.instance,
      apiPorts: [...this.apiPorts],
      ...(this.#endpoints.socketDirectory !== undefined && { socketDirectory: this.#endpoints.socketDirectory }),
      base: packCounters(this.#tally.base()),
      blockTags: [...this.#blockTags],
      engines: living.map((engine) => engine.record),
    };
    this.#disk.write(
      state,
      living.map((engine) => engine.journal),
    );
  }

  *#all(): Iterable<RunningEngine> {
    if (this.#serving) yield this.#serving;
    yield* this.#draining.engines;
  }

  async #endpointFor(id: string): Promise<Endpoint> {
    for (;;) {
      const used = [...this.#all()].map((engine) => engine.record.endpoint);
      const endpoint = await this.#endpoints.allocate(id, used);
      if (endpoint) return endpoint;
      // The replaced engine that has had the longest time makes room.
      const [oldest] = this.draining;
      if (!oldest)
        throw new Error(`none of the ports ${this.apiPorts.join(", ")} for the engine's own interface is free`);
      await this.#finish(oldest);
    }
  }

  #serve(engine: RunningEngine): void {
    this.#serving = engine;
    this.startedAt = this.#options.context.now();
    this.#watch.start(engine, true);
  }

  #drain(engine: RunningEngine): void {
    this.#watch.start(engine, false);
    this.#draining.add(engine);
  }

  /**
   * Ends an engine after a last reading. From the moment that reading is on disk it counts, whether or not the process
   * still runs.
   */
  async #finish(engine: RunningEngine): Promise<void> {
    const ending = this.#ending.get(engine) ?? this.#end(engine);
    this.#ending.set(engine, ending);
    await ending.finally(() => this.#ending.delete(engine));
  }

  async #end(engine: RunningEngine): Promise<void> {
    engine.unwatch();
    const answered = await this.#readOne(engine, LAST_READING_MS);
    engine.markFinal(packCounters(this.#tally.last(engine.record.id)));
    this.save();
    await endProcess(engine.identity, answered ? END_GRACE_MS : HUNG_GRACE_MS);
    this.#drop(engine);
  }

  #drop(engine: RunningEngine): void {
    this.#tally.end(engine.record.id);
    this.#draining.delete(engine);
    if (this.#serving === engine) this.#serving = undefined;
    engine.forget();
    this.#endpoints.free(engine.record.endpoint);
    this.save();
  }

  #isLiving(engine: RunningEngine): boolean {
    return this.#serving === engine || this.draining.includes(engine);
  }

  #exited(engine: RunningEngine): void {
    const served = this.#serving === engine;
    if (!this.#isLiving(engine)) return;
    this.#drop(engine);
    if (!served) return;
    const { dialect } = this.#options;
    const words = this.#options.lastWords();
    const reason = /panic|fatal|failed/i.test(words) ? `; its last words: ${dialect.lastReason(words)}` : "";
    this.#options.onCrash(engine, `${dialect.name} died by itself${reason}`);
  }

  async #hung(engine: RunningEngine, reason: string): Promise<void> {
    const served = this.#serving === engine;
    this.#options.context.log("error", "an engine does not answer and is ended", { pid: engine.identity.pid, reason });
    engine.unwatch();
    await endProcess(engine.identity, HUNG_GRACE_MS);
    if (!this.#isLiving(engine)) return;
    this.#drop(engine);
    if (served) this.#options.onCrash(engine, `${this.#options.dialect.name} ${reason}`);
  }

  async #readOne(engine: RunningEngine, timeoutMs: number | undefined): Promise<boolean> {
    try {
      const counters = await engine.counters(timeoutMs);
      // One that ended meanwhile is in the base already.
      if (this.#isLiving(engine)) this.#tally.update(engine.record.id, counters);
      return true;
    } catch (error) {
      this.#options.context.log("debug", "an engine's counters could not be read", {
        pid: engine.identity.pid,
        error: String(error),
      });
      return false;
    }
  }
}
