// Brings the engines of a driver from what they serve to what they should serve: live where the dialect can, by a
// second process where it cannot.
import { setTimeout as delay } from "node:timers/promises";
import { parseEngineUserName, type Structure } from "../../../../protocol/plan.ts";
import type {
  ApplyResult,
  DesiredState,
  DriverContext,
  EngineInfo,
  HeldPort,
  UserChange,
} from "../../contract/driver.ts";
import type { Cutter } from "../view/cutter.ts";
import type { Compiled, Dialect, PopulatedInbound, Screening } from "../dialect.ts";
import type { EngineSet } from "../lifecycle/engine-set.ts";
import type { LivingEngines } from "../lifecycle/living-engines.ts";
import type { RunningEngine } from "../lifecycle/running-engine.ts";
import { freeInbounds } from "./free-inbounds.ts";
import { SwapGate } from "./swap-gate.ts";
import { upstreamsOf } from "./upstreams.ts";
import { UNKNOWN } from "../state/user-journal.ts";
import type { UserLimits } from "./user-limits.ts";
import {
  carriesExactly,
  type Operation,
  operationsFor,
  plannedOperations,
  removals,
  tooMany,
} from "../lifecycle/user-operations.ts";
import { Vetting } from "./vetting.ts";
import { type AgentNotice, hostNotice, firstDetails } from "../../../notices.ts";

/** A swap that has to wait longer is left to a timer, so that the next change, a removal perhaps, is heard. */
const PATIENCE_MS = 1000;

export interface ServingOptions {
  readonly dialect: Dialect;
  readonly info: EngineInfo;
  readonly context: DriverContext;
  readonly engines: EngineSet;
  readonly living: LivingEngines;
  readonly cutter: Cutter;
  readonly limits: UserLimits;
  /** The first engine is about to be started. */
  onStarting(): void;
  /** Asks for another `apply` of what is desired then, after so many milliseconds. */
  later(waitMs: number): void;
}

export class Serving {
  readonly #options: ServingOptions;
  readonly #dialect: Dialect;
  readonly #engines: EngineSet;
  readonly #cutter: Cutter;
  readonly #vetting: Vetting;
  readonly #gate: SwapGate;
  #compiled: Compiled | undefined;
  #screening: Screening | undefined;
  /** Warnings of what does not depend on users: found when the structure was last applied. */
  #structureWarnings: readonly AgentNotice[] = [];
  #held: readonly HeldPort[] = [];

  constructor(options: ServingOptions) {
    this.#options = options;
    this.#dialect = options.dialect;
    this.#engines = options.engines;
    this.#cutter = options.cutter;
    this.#vetting = new Vetting(options.dialect, options.info.version);
    this.#gate = new SwapGate(() => options.context.now());
  }

  /** Ports of inbounds that the last apply left out: see `EngineDriver.heldPorts`. */
  get held(): readonly HeldPort[] {
    return this.#held;
  }

  /** Throws when nothing can be served, or the engine does not start. */
  async apply(desired: DesiredState): Promise<ApplyResult> {
    this.#held = [];
    await this.#engines.prepare(askedPorts(desired));
    // An engine that cannot share ports needs the map for every inbound.
    if (!this.#dialect.abilities.reusePort) await this.#engines.ports.open();
    const packetMark = this.#engines.ports.map?.packetMark;
    const { targetMark, unguarded } = await this.#guardTargets(desired.structure);
    const options = {
      privateTargets: this.#options.context.privateTargets,
      apiPorts: this.#engines.apiPorts,
      ...(packetMark !== undefined && !this.#dialect.abilities.reusePort && { packetMark }),
      ...(targetMark !== undefined && { targetMark }),
    };
    const plan = await this.#vetting.frame(this.#dialect.compile(desired.structure, options));
    const compiled = plan.value;
    const screening = this.#dialect.screen(desired.users);
    const wanted = compiled.inbounds.flatMap(
      (inbound) => this.#dialect.populate(inbound, desired.users, screening) ?? [],
    );
    this.#compiled = compiled;
    this.#screening = screening;
    this.#structureWarnings = [...compiled.warnings, ...plan.warnings, ...unguarded];
    if (wanted.length === 0) return this.#stop(desired);
    await this.#engines.ports.prepare(wanted.map(({ inbound }) => inbound));
    this.#structureWarnings = [
      ...this.#structureWarnings,
      ...this.#engines.ports.warnings(wanted.map(({ inbound }) => inbound)),
    ];
    const { free, held, warnings } = await freeInbounds(wanted, this.#engines);
    this.#held = held;
    // What is not served at all comes before what is served with less.
    this.#structureWarnings = [...warnings, ...this.#structureWarnings];
    const { serving } = this.#engines;
    if (serving) {
      serving.recognise(compiled.frameDigest, compiled.frame);
      const reachable = serving.record.frameDigest === compiled.frameDigest || serving.canReach(compiled.coreDigest);
      const operations = reachable ? this.#liveOperations(serving, free) : undefined;
      if (operations) return this.#changeLive(serving, compiled, free, operations, desired);
    }
    return this.#replace(compiled, free, desired);
  }

  /**
   * What an engine that resolves names twice marks its connections with, or a warning that nothing holds it to the
   * answer that was checked.
   */
  async #guardTargets(structure: Structure): Promise<{ targetMark?: number; unguarded: readonly AgentNotice[] }> {
    if (this.#dialect.abilities.resolvesTwice !== true) return { unguarded: [] };
    const { context } = this.#options;
    await this.#engines.ports.open();
    try {
      const { privateTargets } = context;
      const upstreams = upstreamsOf(structure);
      const guarded = await this.#engines.ports.guardTargets({
        privateTargets,
        interfaces: this.#engines.apiPorts,
        upstreams,
      });
      if (guarded) return { ...(guarded.mark !== undefined && { targetMark: guarded.mark }), unguarded: [] };
    } catch (error) {
      context.log("warn", "private targets could not be guarded by the kernel", { error: String(error) });
    }
    const code = context.privateTargets === "block" ? "names_reach_private" : "names_reach_engine";
    return { unguarded: [hostNotice(code, this.#dialect.name)] };
  }

  /** Undefined when the change needs more than users added and removed. */
  async changeUsers(change: UserChange, desired: DesiredState): Promise<ApplyResult | undefined> {
    const { serving } = this.#engines;
    const compiled = this.#compiled;
    if (!this.#dialect.abilities.hotUsers || !serving || !compiled || !this.#screening) return undefined;
    if (serving.record.frameDigest !== compiled.frameDigest) return undefined;
    const screening = this.#dialect.screen(desired.users);
    if (this.#screening.key !== screening.key) return undefined;
    const wanted = compiled.inbounds.flatMap(
      (inbound) =>
        this.#dialect.populate(inbound, inbound.users === "live" ? new Map() : desired.users, screening) ?? [],
    );
    // Inbounds with fixed users differ with every user: the whole way exchanges them.
    if (!this.#allSettled(serving, wanted)) return undefined;
    const operations = operationsFor(serving, compiled.inbounds, change.put, change.drop, (inbound, user) =>
      this.#dialect.account(inbound, user, screening),
    );
    if (tooMany(operations, compiled.inbounds)) return undefined;
    this.#screening = screening;
    await this.#perform(serving, operations);
    return this.#result(desired, operations.length > 0 ? "hot" : "unchanged");
  }

  /** The new state could not be served, so the old one still runs: disconnects removed users from it. */
  async dropUsers(serving: RunningEngine, desired: DesiredState): Promise<void> {
    const gone = [...serving.carried.keys()].filter(
      (email) => !desired.users.has(parseEngineUserName(email)?.userId ?? 0),
    );
    const operations = removals(serving, gone);
    try {
      await this.#putOut(serving, operations);
    } catch (error) {
      this.#options.context.log("error", "removed users could not be removed from the running engine", {
        error: String(error),
      });
    }
  }

  /** Closes an inbound in every process and opens it again in the serving one. */
  async reopen(inboundId: number, desired: DesiredState): Promise<void> {
    const { serving } = this.#engines;
    const inbound = this.#compiled?.inbounds.find(({ id }) => id === inboundId);
    if (!serving || !inbound || !this.#screening) return;
    const populated = this.#dialect.populate(inbound, desired.users, this.#screening);
    if (populated) await this.#engines.inbounds.reopen(serving, populated);
  }

  /** The changes of users with which the running process is brought there live; undefined when it cannot be. */
  #liveOperations(serving: RunningEngine, wanted: readonly PopulatedInbound[]): Operation[] | undefined {
    const { hotUsers, hotInbounds } = this.#dialect.abilities;
    if (!hotInbounds && !this.#allSettled(serving, wanted)) return undefined;
    if (!hotUsers) return carriesExactly(serving.carried, wanted) ? [] : undefined;
    const operations = plannedOperations(serving, wanted);
    const inbounds = wanted.map(({ inbound }) => inbound);
    return tooMany(operations, inbounds) ? undefined : operations;
  }

  #allSettled(serving: RunningEngine, wanted: readonly PopulatedInbound[]): boolean {
    const open = new Map(serving.inbounds.map((one) => [one.id, one]));
    return (
      open.size === wanted.length &&
      wanted.every((one) => this.#engines.inbounds.isSettled(open.get(one.inbound.id), one))
    );
  }

  async #stop(desired: DesiredState): Promise<ApplyResult> {
    const asked = Object.values(desired.structure).filter((object) => object.kind === "inbound").length;
    await this.#engines.stop();
    if (asked > 0 && this.#compiled?.inbounds.length === 0) throw this.#nothingServed();
    return this.#result(desired, "stopped");
  }

  #nothingServed(): Error {
    return new Error(`${this.#dialect.name} can serve none of the inbounds: ${firstDetails(this.#structureWarnings)}`);
  }

  /** Carries operations out, and ends what they leave without an owner. */
  async #perform(serving: RunningEngine, operations: readonly Operation[]): Promise<void> {
    await serving.perform(operations);
    await this.#removeFromDraining(new Set(operations.filter(({ remove }) => remove).map(({ email }) => email)));
    await this.#cutter.disconnectUsers(operations.filter(({ cut }) => cut).map(({ email }) => email));
  }

  /** A replaced process lets users in over connections of old. */
  async #removeFromDraining(names: ReadonlySet<string>): Promise<void> {
    if (!this.#dialect.abilities.hotUsers || names.size === 0) return;
    for (const engine of this.#engines.draining) {
      try {
        await engine.perform(removals(engine, names));
      } catch (error) {
        this.#options.context.log("warn", "removed users could not be removed from a replaced engine", {
          error: String(error),
        });
      }
    }
  }

  /**
   * Disconnects removed users immediately, whether or not a process can be changed live: their new connections are
   * closed until the next process takes over.
   */
  async #putOut(serving: RunningEngine, operations: readonly Operation[]): Promise<void> {
    if (this.#dialect.abilities.hotUsers) return this.#perform(serving, operations);
    const names = operations.map(({ email }) => email);
    this.#options.living.leave(new Set(names));
    await this.#cutter.disconnectUsers(names);
  }

  async #changeLive(
    serving: RunningEngine,
    compiled: Compiled,
    wanted: readonly PopulatedInbound[],
    operations: readonly Operation[],
    desired: DesiredState,
  ): Promise<ApplyResult> {
    const before = this.#options.living.inbounds();
    this.#options.living.leave(new Set());
    // Users first: disconnecting a removed user must not wait for a certificate.
    await this.#perform(serving, operations);
    const reframed = serving.record.frameDigest !== compiled.frameDigest;
    // Rules before inbounds: an inbound must never be open without the rules that close targets on it.
    if (reframed) await serving.changeFrame(compiled.frameDigest, compiled.frame, () => this.#engines.save());
    const change = await this.#engines.inbounds.change(serving, wanted);
    this.#structureWarnings = [...this.#structureWarnings, ...change.warnings];
    await this.#cutter.disconnectInbounds(before);
    if (change.changed) await this.#cutter.watchAnonymous(desired);
    this.#engines.blockTags = compiled.blockTags;
    return this.#result(desired, operations.length > 0 || change.changed || reframed ? "hot" : "unchanged");
  }

  async #replace(compiled: Compiled, wanted: readonly PopulatedInbound[], desired: DesiredState): Promise<ApplyResult> {
    const old = this.#engines.serving;
    if (old) {
      const digests = new Map<string, string>();
      for (const { accounts } of wanted) for (const { email, digest } of accounts.values()) digests.set(email, digest);
      const operations = removals(
        old,
        voidUnder(old.carried, (email) => digests.get(email)),
      );
      // So many that the next process is quicker: they go with the old one.
      const many = this.#dialect.abilities.hotUsers && tooMany(operations, compiled.inbounds);
      if (!many) await this.#putOut(old, operations);
      const wait = this.#gate.wait(this.#engines.draining.length);
      if (wait > PATIENCE_MS) {
        this.#options.later(wait);
        return this.#result(desired, "swap");
      }
      await delay(wait);
    }
    const vetted = await this.#vetting.inbounds(compiled, wanted);
    this.#structureWarnings = [...vetted.warnings, ...this.#structureWarnings];
    if (vetted.value.length === 0) throw this.#nothingServed();
    const before = this.#options.living.inbounds();
    const carried = new Map(old?.carried);
    if (!old) this.#options.onStarting();
    const { engine, how } = await this.#engines.start(compiled, vetted.value);
    this.#gate.pass();
    this.#options.living.leave(new Set());
    if (!old) return this.#result(desired, how);
    await this.#cutter.disconnectUsers(voidUnder(carried, (email) => engine.carried.get(email)));
    await this.#cutter.disconnectInbounds(before);
    await this.#cutter.watchAnonymous(desired);
    return this.#result(desired, how);
  }

  async #result(desired: DesiredState, how: ApplyResult["how"]): Promise<ApplyResult> {
    await this.#options.limits.set(desired.users);
    return { warnings: this.#warnings(desired), how };
  }

  #warnings(desired: DesiredState): AgentNotice[] {
    const { closeSessions } = this.#options.info.can;
    const inbounds = this.#compiled?.inbounds ?? [];
    const population = this.#compiled ? this.#dialect.populationWarnings(this.#compiled, desired.users) : [];
    const lists = this.#dialect.abilities.apiPorts > 1;
    const means = { able: closeSessions, lists, portMap: this.#engines.ports.map !== undefined };
    const limits = this.#options.limits.warnings(desired.users, inbounds, means);
    const blind = closeSessions ? [] : [hostNotice("removed_stay")];
    return [...this.#structureWarnings, ...population, ...(this.#screening?.warnings ?? []), ...limits, ...blind];
  }
}

function askedPorts({ structure }: DesiredState): Set<number> {
  return new Set(
    Object.values(structure).map((object) => (object.kind === "inbound" ? Number(object.config["listen_port"]) : 0)),
  );
}

/**
 * Engine users whose open connections must be closed, given the digest of the secret that holds now. Nothing is known
 * of an account in doubt.
 */
function voidUnder(carried: ReadonlyMap<string, string>, now: (email: string) => string | undefined): string[] {
  const names: string[] = [];
  for (const [email, before] of carried) {
    const after = now(email);
    if (after === undefined || (before !== UNKNOWN && before !== after)) names.push(email);
  }
  return names;
}
