// The runtime as features see it: create, ask, step and remove actors; and the owner of their background work (timers,
// effects, residents).
//
// Modes: `stopped` (commands work, no background work runs), `running`, `draining` (no new background work starts;
// running work finishes). Only `start` and `drain` set it.
import { randomUUID } from "node:crypto";
import type { AnyEventObject } from "xstate";
import {
  lock,
  StoreUnavailable,
  type Committed,
  type Committer,
  type Draft,
  type Processes,
  type Reader,
} from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Origin } from "../lib/origin.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import { Signals, type Signal } from "../lib/signals.ts";
import { FAULT_LIMIT, type ActorRow } from "./actor.entity.ts";
import { BackgroundSteps, locksOf } from "./background-steps.ts";
import type { ActorKind, MACHINE_COLUMNS, WorkEffect } from "./definition.ts";
import { EffectLeases } from "./effect-leases.ts";
import { Effects } from "./effects.ts";
import { ErrandLog } from "./errand-log.ts";
import { ErrandSecrets } from "./errand-secrets.ts";
import { ActorMissing } from "./errors.ts";
import { DUE, EFFECT, EFFECT_ENDED, FAULT, RESIDENTS, TIMER, TRANSITION } from "./facts.ts";
import { Outbox, type Deliveries } from "./outbox.ts";
import { Residents } from "./residents.ts";
import type { Shards } from "./shards.ts";
import { Stepper, type StepResult } from "./step.ts";
import { StateCounter } from "./state-counts.ts";
import { Timers } from "./timers.ts";

export interface SupervisorOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  /** Which actors this process moves; started and stopped with it. */
  readonly shards: Shards;
  /** The processes on the database, this one started among them. Undefined where no other can be (SQLite). */
  readonly processes?: Processes;
  readonly random?: () => number;
  /** A failure that no caller waits for: logged, and repeated where repeating helps. */
  readonly onError: (error: unknown, about: string) => void;
  /**
   * How often timers and effects are looked for that no commit of this process told of; a second where nothing is said.
   */
  readonly pollMs?: number;
  /** Names this run of the process (`Database.boot`): owner of leases. */
  readonly bootId?: string;
  /** Counts the actors in each state, in the commits that move them. Default: the counters' own rows. */
  readonly counter?: Pick<StateCounter, "count">;
  /** Hears of commands, steps, timers and effects; nobody where none is given. */
  readonly signals?: Signals;
}

export class Supervisor {
  readonly bootId: string;
  readonly outbox: Outbox;
  /** Secrets that requests hand over for the errands of an actor. */
  readonly secrets: ErrandSecrets;
  readonly #options: SupervisorOptions;
  readonly #kinds = new Map<string, ActorKind>();
  readonly #stepper: Stepper;
  readonly #timers: Timers;
  readonly #effects: Effects;
  readonly #log: ErrandLog;
  readonly #residents: Residents;
  readonly #commands: Signal<SignalTable["runtime.command"]>;
  readonly #steps: Signal<SignalTable["runtime.step"]>;
  readonly #stopListening: () => void;
  #mode: "stopped" | "running" | "draining" = "stopped";

  constructor(options: SupervisorOptions) {
    const { commits, reads, clock, shards, processes, onError, signals = new Signals() } = options;
    const polls = options.pollMs === undefined ? {} : { pollMs: options.pollMs };
    this.#options = options;
    this.bootId = processes?.boot ?? options.bootId ?? randomUUID();
    this.outbox = new Outbox(options.deliveries);
    this.secrets = new ErrandSecrets(clock, this.bootId);
    this.#log = new ErrandLog({ commits, clock, onError });
    this.#commands = signals.of("runtime.command");
    this.#steps = signals.of("runtime.step");
    this.#stepper = new Stepper(this.outbox, options.counter ?? new StateCounter(processes?.boot ?? ""), signals);
    const steps = new BackgroundSteps({
      commits,
      clock,
      stepper: this.#stepper,
      signals,
      kindOf: (name) => this.#kinds.get(name),
      draining: () => this.#mode === "draining",
      onError,
    });
    this.#timers = new Timers({
      reads,
      clock,
      shards,
      kinds: () => [...this.#kinds.keys()],
      fire: (timer) => steps.fire(timer),
      signals,
      onError: (error) => onError(error, "timers"),
      ...polls,
    });
    const entityOf = (kind: string) => this.#kind(kind).definition.entity;
    const versionOf = (kind: string) => this.#kind(kind).definition.version;
    this.#effects = new Effects({
      leases: new EffectLeases({ commits, reads, clock, shards, bootId: this.bootId, processes, entityOf, versionOf }),
      shards,
      clock,
      signals,
      random: options.random ?? Math.random,
      handlerOf: (kind, src) => this.#workEffect(kind, src),
      groups: () => this.#groups(),
      heldGroups: () => this.#groups((effect) => effect.held === true),
      secretGroups: () => this.#groups((effect) => effect.mode === "errand" && effect.secrets === true),
      log: this.#log,
      secrets: this.secrets,
      settle: (effect, outcome) => steps.settle(effect, outcome),
      onError,
      ...polls,
    });
    this.#residents = new Residents({
      reads,
      clock,
      shards,
      kinds: this.#kinds,
      deliver: (kind, id, event, alive) => steps.deliver(kind, id, event, alive),
      onError: (error) => onError(error, "resident effects"),
    });
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
  }

  /** Makes a kind known. Before `start`. */
  register<R extends ActorRow, C>(kind: ActorKind<R, C>): void {
    if (this.#kinds.has(kind.definition.kind)) throw new Error(`the kind ${kind.definition.kind} is registered twice`);
    this.#kinds.set(kind.definition.kind, kind as unknown as ActorKind);
  }

  get kinds(): ReadonlyMap<string, ActorKind> {
    return this.#kinds;
  }

  /**
   * Takes shards and starts their residents, continues interrupted effects, fires due timers. It does not change any
   * actor itself.
   */
  async start(): Promise<void> {
    this.#mode = "running";
    this.#residents.start();
    await this.#options.shards.start();
    await this.#residents.resumed();
    this.#effects.start();
    this.#timers.start();
  }

  /**
   * Stops background work: no timer fires, effects are aborted and released, residents end. Commands still work until
   * the committer drains.
   */
  async drain(graceMs = 5000): Promise<void> {
    this.#mode = "draining";
    this.#residents.stop();
    await Promise.all([this.#options.shards.stop(), this.#timers.stop(), this.#effects.stop(graceMs)]);
    await this.#log.stop();
    this.secrets.stop();
    this.#stopListening();
  }

  /**
   * Gives an event to an actor in a commit of its own; resolves when that is on disk. Rejects with `ActorMissing`,
   * `ActorQuarantined`, `StoreUnavailable` or what the chart threw.
   */
  async ask(kind: string, id: number, event: AnyEventObject, origin: Origin): Promise<StepResult> {
    const known = this.#kind(kind);
    const begun = this.#commands.begun();
    let ended: SignalTable["runtime.command"]["ended"] = "done";
    try {
      return await this.#options.commits.submit({
        name: `${kind}.${event.type}`,
        locks: locksOf(known, id),
        decide: (draft) => this.#stepper.step(draft, known, id, event, origin),
      });
    } catch (error) {
      ended = error instanceof StoreUnavailable ? "unavailable" : "refused";
      throw error;
    } finally {
      if (begun !== undefined) this.#commands.tell({ kind, by: "caller", ended, ms: this.#commands.since(begun) });
    }
  }

  /** Inserts a record as an actor, within a command's draft. */
  create<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    row: Omit<R, (typeof MACHINE_COLUMNS)[number]>,
    origin: Origin,
  ): R {
    return this.#stepper.create(draft, kind, row, origin);
  }

  /** Sends an event to an actor within a command's draft, after the command made its own changes. */
  step<R extends ActorRow, C>(
    draft: Draft,
    kind: ActorKind<R, C>,
    id: number,
    event: AnyEventObject,
    origin: Origin,
  ): StepResult {
    return this.#stepper.step(draft, kind, id, event, origin);
  }

  /** Deletes a record that is an actor, within a command's draft. Returns what `restore` takes. */
  remove<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, id: number, origin: Origin): R {
    return this.#stepper.remove(draft, kind, id, origin);
  }

  /** Inserts the record of an actor that was removed, in the state that it had, within a command's draft. */
  restore<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, row: R, origin: Origin): R {
    return this.#stepper.restore(draft, kind, row, origin);
  }

  /** Recomputes a record's deadline after a command changed columns that no event tells of. */
  touch<R extends ActorRow, C>(draft: Draft, kind: ActorKind<R, C>, id: number): void {
    this.#stepper.touch(draft, kind, id);
  }

  /** Set-based statements marked actors due: look for them now, not at the next poll. */
  pokeTimers(): void {
    this.#timers.poke();
  }

  /**
   * Lifts an actor's quarantine. Resolves to whether there was one. What a resident said meanwhile was lost, so those
   * of its state start again.
   */
  resume(kind: string, id: number): Promise<boolean> {
    const known = this.#kind(kind);
    const decide = (draft: Draft) => this.lift(draft, known, id);
    return this.#options.commits.submit({ name: `${kind}.resume`, locks: [lock(known.definition.entity, id)], decide });
  }

  /** The same within a command's draft. */
  lift(draft: Draft, { definition, chart }: ActorKind, id: number): boolean {
    const { kind } = definition;
    const row = draft.find(definition.entity, id);
    if (!row) throw new ActorMissing(kind, id);
    if (row.faultCount < FAULT_LIMIT) return false;
    draft.update(definition.entity, id, { faultAt: null, faultCount: 0, faultMessage: "", faultCause: null });
    draft.publish(FAULT, { kind, id, name: definition.nameOf(row), fault: null });
    const active = chart.invokesIn(row.mstate);
    const start = [...chart.invokes.values()]
      .filter((invoke) => active.includes(invoke.id) && definition.effects[invoke.src]?.mode === "resident")
      .map((invoke) => ({ invokeId: invoke.id, src: invoke.src }));
    if (start.length > 0) draft.publish(RESIDENTS, { kind, id, rev: row.rev, start, active, anew: true });
    return true;
  }

  #kind(name: string): ActorKind {
    const kind = this.#kinds.get(name);
    if (!kind) throw new Error(`there are no actors of kind ${name}`);
    return kind;
  }

  #workEffect(kind: string, src: string): WorkEffect | undefined {
    const handler = this.#kinds.get(kind)?.definition.effects[src];
    return handler?.mode === "resident" ? undefined : handler;
  }

  /** Groups (`kind:src`) of the effects with rows that are `wanted`. */
  #groups(wanted: (effect: WorkEffect) => boolean = () => true): string[] {
    return [...this.#kinds.values()].flatMap(({ definition: { kind, effects } }) =>
      Object.entries(effects).flatMap(([src, effect]) =>
        effect.mode !== "resident" && wanted(effect) ? [`${kind}:${src}`] : [],
      ),
    );
  }

  /**
   * Takes over the facts of a commit. Of another process's commits only residents and ended effects concern this one
   * (`SHARED_FACTS`).
   */
  #committed({ facts, remote }: Committed): void {
    if (this.#steps.heard && !remote)
      for (const { kind, event, from, to } of facts.of(TRANSITION)) this.#steps.tell({ kind, event, from, to });
    this.secrets.committed(facts);
    // Also before the start: what came before a change that is heard of afterwards must be known.
    for (const change of facts.of(RESIDENTS)) this.#residents.changed(change);
    if (this.#mode !== "running") return;
    for (const timer of facts.of(TIMER)) this.#timers.armed(timer);
    for (const end of facts.of(EFFECT_ENDED)) this.#effects.ended(end);
    for (const effect of facts.of(EFFECT)) this.#effects.started(effect);
    if (facts.has(DUE)) this.#timers.poke();
  }
}
