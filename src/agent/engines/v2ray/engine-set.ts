// The v2ray processes of one driver: the one that serves, those that finish their connections, and what the next agent must know of them.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import type { DriverContext } from "../driver.ts";
import { type ByteCount, CounterTally, offsetOf } from "../process/counter-tally.ts";
import { endProcess, isAlive, listeningPorts, processesMarked } from "../process/identity.ts";
import type { LiveViewStart } from "../process/live-view.ts";
import { countSocketsOf } from "../process/sockets.ts";
import { launch, markOf, watchExit } from "../process/spawn.ts";
import { readState, removeState, writeState } from "../process/state-file.ts";
import { UserJournal } from "../process/user-journal.ts";
import { lastReason, V2RAY } from "./binary.ts";
import { type Compiled, engineConfig, engineTags, inboundConfig, type PopulatedInbound } from "./compile.ts";
import { journalPath, openInbound, RunningEngine } from "./engine.ts";
import { freePorts, takenPorts } from "./ports.ts";
import { DriverState, type EngineRecord, LogCheckpoint, packCounters, unpackCounters } from "./state.ts";

/** How long a replaced engine may finish its connections. */
const DRAIN_MS = 60_000;
const DRAIN_LOOK_MS = 1000;
/** Many users of old protocols take v2ray several seconds to start with. */
const START_MS = 60_000;
const END_GRACE_MS = 2000;
const API_PORTS = 4;
const LAST_READING_MS = 1500;

/** Where it is kept what the log's lines came to. */
export function checkpointPath(directory: string): string {
  return join(directory, "log.json");
}

export interface EngineSetOptions {
  readonly context: DriverContext;
  readonly logPath: string;
  /** What engines wrote last, other than access lines. */
  lastWords(): string;
  /** The serving engine died by itself. */
  onCrash(engine: RunningEngine, words: string): void;
}

export class EngineSet {
  readonly #options: EngineSetOptions;
  readonly #statePath: string;
  #tally = new CounterTally(randomUUID());
  #serving: RunningEngine | undefined;
  readonly #draining = new Map<RunningEngine, NodeJS.Timeout>();
  #apiPorts: readonly number[] = [];
  #blockTags: readonly string[] = [];
  /** Unix milliseconds at which the serving engine was started or adopted. */
  startedAt = 0;

  constructor(options: EngineSetOptions) {
    this.#options = options;
    this.#statePath = join(options.context.directory, "state.json");
  }

  get serving(): RunningEngine | undefined {
    return this.#serving;
  }

  get instance(): string {
    return this.#tally.instance;
  }

  get apiPorts(): readonly number[] {
    return this.#apiPorts;
  }

  get blockTags(): readonly string[] {
    return this.#blockTags;
  }

  set blockTags(tags: readonly string[]) {
    if (tags.join("\n") === this.#blockTags.join("\n")) return;
    this.#blockTags = tags;
    this.save();
  }

  /** Sees to what must be there before anything is compiled. */
  async prepare(): Promise<void> {
    if (this.#apiPorts.length === 0) this.#apiPorts = await freePorts(API_PORTS);
  }

  /** Takes over engines that outlived their agent and ends all others of this directory. Resolves to where the log view goes on. */
  async adopt(): Promise<LiveViewStart | undefined> {
    const state = this.#readState();
    const kept: { engine: RunningEngine; counters: Map<string, ByteCount> }[] = [];
    const finals: ReadonlyMap<string, ByteCount>[] = [];
    let lost = false;
    for (const record of state?.engines ?? []) {
      if (record.final) finals.push(unpackCounters(record.final));
      const found = record.final ? undefined : await this.#reach(record);
      if (found) kept.push(found);
      else lost ||= !record.final;
    }
    const pids = new Set(kept.map(({ engine }) => engine.identity.pid));
    for (const stray of processesMarked(markOf(this.#options.context.directory)))
      if (!pids.has(stray.pid)) await endProcess(stray, END_GRACE_MS);
    if (!state || kept.length === 0) {
      removeState(this.#statePath);
      removeState(checkpointPath(this.#options.context.directory));
      return undefined;
    }
    this.#apiPorts = state.apiPorts;
    this.#blockTags = state.blockTags;
    // What a lost engine had counted is not known, so no sum can be told to go on. A new instance begins at nothing.
    this.#tally = lost
      ? new CounterTally(randomUUID(), sumOf(kept.map(({ counters }) => offsetOf(counters))))
      : new CounterTally(state.instance, sumOf([unpackCounters(state.base), ...finals]));
    for (const { engine, counters } of kept) {
      this.#tally.update(engine.record.id, counters);
      if (engine.record.drainUntil === undefined && !this.#serving) this.#serve(engine);
      else this.#drain(engine);
    }
    this.save();
    const checkpoint = this.#readCheckpoint() ?? { offset: 0, rejected: {}, sessions: { rows: [], addresses: [] } };
    return lost ? { ...checkpoint, rejected: {} } : checkpoint;
  }

  /** Starts an engine with these inbounds. The one that served until now hands its listeners over and finishes its connections. Throws with v2ray's reason, and the old one serves on. */
  async start(compiled: Compiled, inbounds: readonly PopulatedInbound[]): Promise<RunningEngine> {
    const engine = await this.#launch(compiled, inbounds);
    const old = this.#serving;
    this.#blockTags = compiled.blockTags;
    this.#serve(engine);
    if (old) {
      old.markDraining(this.#options.context.now() + DRAIN_MS);
      this.#drain(old);
    }
    this.save();
    if (old) await old.closeAll().catch(async () => this.#finish(old));
    return engine;
  }

  /** Reads every engine's counters; one that does not answer keeps its last reading. */
  async read(timeoutMs?: number): Promise<void> {
    await Promise.all([...this.#all()].map(async (engine) => this.#readOne(engine, timeoutMs)));
  }

  total(): Map<string, ByteCount> {
    return this.#tally.total();
  }

  /** Ends all engines after a last reading. */
  async stop(): Promise<void> {
    await Promise.all([...this.#all()].map(async (engine) => this.#finish(engine)));
    removeState(this.#statePath);
  }

  /** Leaves all engines to the next agent. */
  release(): void {
    for (const timer of this.#draining.values()) clearInterval(timer);
    for (const engine of this.#all()) engine.release();
    this.save();
  }

  save(): void {
    const engines = [...this.#all()].map((engine) => engine.record);
    if (engines.length === 0) return;
    const state: DriverState = {
      version: 1,
      instance: this.#tally.instance,
      apiPorts: [...this.#apiPorts],
      base: packCounters(this.#tally.base()),
      blockTags: [...this.#blockTags],
      engines,
    };
    writeState(this.#statePath, state);
  }

  *#all(): Iterable<RunningEngine> {
    if (this.#serving) yield this.#serving;
    yield* this.#draining.keys();
  }

  #readState(): DriverState | undefined {
    try {
      return readState(this.#statePath, DriverState);
    } catch (error) {
      this.#options.context.log("warn", "the state of earlier engines is lost; they are ended", { error: String(error) });
      return undefined;
    }
  }

  #readCheckpoint(): LogCheckpoint | undefined {
    try {
      return readState(checkpointPath(this.#options.context.directory), LogCheckpoint);
    } catch (error) {
      this.#options.context.log("warn", "the log's checkpoint is lost", { error: String(error) });
      return undefined;
    }
  }

  /** The engine behind a record, if it is that very process and answers. */
  async #reach(record: EngineRecord): Promise<{ engine: RunningEngine; counters: Map<string, ByteCount> } | undefined> {
    const identity = { pid: record.pid, startTime: record.startTime };
    if (!isAlive(identity)) return undefined;
    let engine: RunningEngine | undefined;
    try {
      engine = new RunningEngine(record, UserJournal.open(journalPath(this.#options.context.directory, record.id)));
      return { engine, counters: await engine.counters(3000) };
    } catch (error) {
      this.#options.context.log("warn", "an engine that outlived its agent does not answer and is ended", {
        pid: record.pid,
        error: String(error),
      });
      engine?.release();
      await endProcess(identity, END_GRACE_MS);
      return undefined;
    }
  }

  async #launch(compiled: Compiled, inbounds: readonly PopulatedInbound[]): Promise<RunningEngine> {
    const { context, logPath } = this.#options;
    const apiPort = await this.#freeApiPort();
    const id = randomUUID();
    const accounts = new Map(
      inbounds.flatMap((populated) => [...populated.accounts].map(([email, { digest }]): [string, string] => [email, digest])),
    );
    // Users of several inbounds without names of ours are counted under the first.
    const aliases = new Map(inbounds.toReversed().flatMap((populated) => [...populated.aliases]));
    const named = inbounds.map((populated) => ({ populated, tag: engineTags(populated.inbound.id)[0] }));
    const journal = UserJournal.create(journalPath(context.directory, id), accounts, aliases);
    const config = engineConfig(
      compiled,
      named.map(({ populated, tag }) => inboundConfig(populated, tag)),
      apiPort,
    );
    const identity = await launch({
      binary: V2RAY,
      args: ["-config", "stdin:"],
      stdin: JSON.stringify(config),
      logPath,
      directory: context.directory,
    }).catch((error: unknown) => {
      journal.remove();
      throw error;
    });
    const record: EngineRecord = {
      id,
      ...identity,
      apiPort,
      frameDigest: compiled.frameDigest,
      inbounds: named.map(({ populated, tag }) => openInbound(populated, tag)),
    };
    const engine = new RunningEngine(record, journal);
    try {
      await this.#untilReady(engine, [apiPort, ...inbounds.map(({ inbound }) => inbound.port)]);
      return engine;
    } catch (error) {
      engine.forget();
      await endProcess(identity, END_GRACE_MS);
      throw error;
    }
  }

  async #untilReady(engine: RunningEngine, ports: readonly number[]): Promise<void> {
    const { context } = this.#options;
    const until = context.now() + START_MS;
    for (;;) {
      if (!isAlive(engine.identity)) throw new Error(`v2ray ended at its start: ${lastReason(this.#options.lastWords())}`);
      const open = listeningPorts(engine.identity.pid);
      if (ports.every((port) => open.has(port))) break;
      if (context.now() > until) throw new Error("v2ray did not open its ports in time");
      await delay(20);
    }
    await engine.ping(10_000);
  }

  async #freeApiPort(): Promise<number> {
    const used = new Set([...this.#all()].map((engine) => engine.record.apiPort));
    const candidates = this.#apiPorts.filter((port) => !used.has(port));
    const taken = await takenPorts(
      candidates.map((port) => ({ port, listen: "127.0.0.1" })),
      new Set(),
    );
    const port = candidates.find((candidate) => !taken.has(candidate));
    if (port !== undefined) return port;
    // The replaced engine that has had the longest time makes room.
    const [oldest] = this.#draining.keys();
    if (!oldest) throw new Error(`none of the ports ${this.#apiPorts.join(", ")} for the engine's own interface is free`);
    await this.#finish(oldest);
    return oldest.record.apiPort;
  }

  #serve(engine: RunningEngine): void {
    this.#serving = engine;
    this.startedAt = this.#options.context.now();
    engine.unwatch();
    engine.unwatch = watchExit(engine.identity, () => this.#exited(engine));
  }

  /** Ends a replaced engine once it has no connections any more, at the latest when its time is up. */
  #drain(engine: RunningEngine): void {
    engine.unwatch();
    engine.unwatch = watchExit(engine.identity, () => this.#exited(engine));
    let looking = false;
    const timer = setInterval(() => {
      if (looking) return;
      looking = true;
      const late = this.#options.context.now() >= (engine.record.drainUntil ?? 0);
      const look = async (): Promise<void> => {
        if (late || (await countSocketsOf(engine.identity.pid, engine.record.apiPort)) === 0) await this.#finish(engine);
      };
      look()
        .catch((error: unknown) => this.#options.context.log("debug", "a replaced engine could not be looked at", { error: String(error) }))
        .finally(() => (looking = false));
    }, DRAIN_LOOK_MS);
    timer.unref();
    this.#draining.set(engine, timer);
  }

  /** Ends an engine after a last reading. From the moment that reading is on disk it counts, whether or not the process still runs. */
  async #finish(engine: RunningEngine): Promise<void> {
    engine.unwatch();
    clearInterval(this.#draining.get(engine));
    await this.#readOne(engine, LAST_READING_MS);
    engine.markFinal(packCounters(this.#tally.last(engine.record.id)));
    this.save();
    await endProcess(engine.identity, END_GRACE_MS);
    this.#drop(engine);
  }

  #drop(engine: RunningEngine): void {
    this.#tally.end(engine.record.id);
    clearInterval(this.#draining.get(engine));
    this.#draining.delete(engine);
    if (this.#serving === engine) this.#serving = undefined;
    engine.forget();
    this.save();
  }

  #exited(engine: RunningEngine): void {
    const served = this.#serving === engine;
    if (!served && !this.#draining.has(engine)) return;
    this.#drop(engine);
    const words = this.#options.lastWords();
    if (served) this.#options.onCrash(engine, /panic|fatal|failed/i.test(words) ? lastReason(words) : "");
  }

  async #readOne(engine: RunningEngine, timeoutMs: number | undefined): Promise<void> {
    try {
      this.#tally.update(engine.record.id, await engine.counters(timeoutMs));
    } catch (error) {
      this.#options.context.log("debug", "an engine's counters could not be read", { pid: engine.identity.pid, error: String(error) });
    }
  }
}

function sumOf(maps: readonly ReadonlyMap<string, ByteCount>[]): Map<string, ByteCount> {
  const tally = new CounterTally("sum");
  for (const [index, counters] of maps.entries()) {
    tally.update(String(index), counters);
    tally.end(String(index));
  }
  return new Map(tally.base());
}
