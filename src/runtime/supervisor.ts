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
  type Lock,
  type Processes,
  type Reader,
} from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import { systemOrigin, type Origin } from "../lib/origin.ts";
import { EffectRows, FAULT_LIMIT, TimerRows, type ActorRow, type EffectRow, type TimerRow } from "./actor.entity.ts";
import type { ActorKind, MACHINE_COLUMNS, QueuedEffect } from "./definition.ts";
import { EffectLeases } from "./effect-leases.ts";
import { Effects, type EffectOutcome } from "./effects.ts";
import { ActorMissing, ActorQuarantined } from "./errors.ts";
import { DUE, EFFECT, EFFECT_ENDED, FAULT, RESIDENTS, TIMER } from "./facts.ts";
import { Outbox, type Deliveries } from "./outbox.ts";
import { Residents } from "./residents.ts";
import type { Shards } from "./shards.ts";
import { DUE_TIMER, PARKED_MS, timerId } from "./step-actions.ts";
import { Stepper, type StepResult } from "./step.ts";
import { StateCounter } from "./state-counts.ts";
import { Timers } from "./timers.ts";
import { chartProblem } from "./problems.ts";

/** Between tries of telling an actor something while the database is away. */
const DELIVER_AGAIN_MS = 1000;

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
  /**
   * Who counts the actors in each state, in the commits that move them; the counters' own rows where nothing is said.
   */
  readonly counter?: Pick<StateCounter, "count">;
}

export class Supervisor {
  readonly bootId: string;
  readonly outbox: Outbox;
  readonly #options: SupervisorOptions;
  readonly #kinds = new Map<string, ActorKind>();
  readonly #stepper: Stepper;
  readonly #timers: Timers;
  readonly #effects: Effects;
  readonly #residents: Residents;
  readonly #stopListening: () => void;
  #mode: "stopped" | "running" | "draining" = "stopped";

  constructor(options: SupervisorOptions) {
    const { commits, reads, clock, shards, processes, onError } = options;
    const polls = options.pollMs === undefined ? {} : { pollMs: options.pollMs };
    this.#options = options;
    this.bootId = processes?.boot ?? options.bootId ?? randomUUID();
    this.outbox = new Outbox(options.deliveries);
    this.#stepper = new Stepper(this.outbox, options.counter ?? new StateCounter(processes?.boot ?? ""));
    const fire = (timer: TimerRow) => this.#fire(timer);
    this.#timers = new Timers({ reads, clock, shards, fire, onError: (error) => onError(error, "timers"), ...polls });
    const entityOf = (kind: string) => this.#kind(kind).definition.entity;
    this.#effects = new Effects({
      leases: new EffectLeases({ commits, reads, clock, shards, bootId: this.bootId, processes, entityOf }),
      shards,
      clock,
      random: options.random ?? Math.random,
      handlerOf: (kind, src) => this.#queuedEffect(kind, src),
      heldGroups: () => this.#heldGroups(),
      settle: (effect, outcome) => this.#settle(effect, outcome),
      onError,
      ...polls,
    });
    this.#residents = new Residents({
      reads,
      clock,
      shards,
      kinds: this.#kinds,
      deliver: (kind, id, event, alive) => this.#deliver(kind, id, event, alive),
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
    this.#stopListening();
  }

  /**
   * Gives an event to an actor in a commit of its own; resolves when that is on disk. Rejects with `ActorMissing`,
   * `ActorQuarantined`, `StoreUnavailable` or what the chart threw.
   */
  ask(kind: string, id: number, event: AnyEventObject, origin: Origin): Promise<StepResult> {
    const known = this.#kind(kind);
    return this.#options.commits.submit({
      name: `${kind}.${event.type}`,
      locks: locksOf(known, id),
      decide: (draft) => this.#stepper.step(draft, known, id, event, origin),
    });
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

  #queuedEffect(kind: string, src: string): QueuedEffect | undefined {
    const handler = this.#kinds.get(kind)?.definition.effects[src];
    return handler?.mode === "queued" ? handler : undefined;
  }

  /** Groups (`kind:src`) of the effects that only the holder of the actor's shard may run. */
  #heldGroups(): string[] {
    return [...this.#kinds.values()].flatMap(({ definition: { kind, effects } }) =>
      Object.entries(effects).flatMap(([src, effect]) =>
        effect.mode === "queued" && effect.held ? [`${kind}:${src}`] : [],
      ),
    );
  }

  /** Of another process's commits only residents and ended effects concern this one (`SHARED_FACTS`). */
  #committed({ facts }: Committed): void {
    // Also before the start: what came before a change that is heard of afterwards must be known.
    for (const change of facts.of(RESIDENTS)) this.#residents.changed(change);
    if (this.#mode !== "running") return;
    for (const timer of facts.of(TIMER)) this.#timers.armed(timer);
    for (const end of facts.of(EFFECT_ENDED)) this.#effects.ended(end);
    for (const effect of facts.of(EFFECT)) this.#effects.started(effect);
    if (facts.has(DUE)) this.#timers.poke();
  }

  /**
   * A due timer: its row goes in the same commit as the transition. A row that is gone, or due later, was overtaken.
   */
  async #fire(timer: TimerRow): Promise<void> {
    const known = this.#kinds.get(timer.kind);
    if (!known) return;
    const origin = systemOrigin("timer");
    await this.#guarded(timer.kind, timer.actorId, () =>
      this.#options.commits.submit({
        name: `${timer.kind}.timer`,
        locks: [lock(TimerRows, timer.id), ...locksOf(known, timer.actorId)],
        decide: (draft) => {
          const row = draft.find(TimerRows, timer.id);
          if (!row || row.dueAt > draft.now) return;
          const actor = draft.find(known.definition.entity, timer.actorId);
          if (!actor) {
            draft.delete(TimerRows, timer.id);
            return;
          }
          if (actor.faultCount >= FAULT_LIMIT) {
            draft.update(TimerRows, timer.id, { dueAt: draft.now + PARKED_MS });
            return;
          }
          draft.delete(TimerRows, timer.id);
          // A deadline of the row's columns: it counts as said, so that what still is due after the step is written
          // again.
          if (timer.name === DUE_TIMER) draft.update(known.definition.entity, timer.actorId, { dueAt: null });
          const { handled } = this.#stepper.step(
            draft,
            known,
            timer.actorId,
            { type: row.event, at: draft.now },
            origin,
          );
          if (!handled) this.#holdBack(draft, known, timer);
        },
      }),
    );
  }

  /**
   * A deadline that the chart did not take and that is still due would fire without end: a defect of the chart, slowed
   * down to one try a minute.
   */
  #holdBack(draft: Draft, kind: ActorKind, timer: TimerRow): void {
    const actor = draft.find(kind.definition.entity, timer.actorId);
    if (timer.name !== DUE_TIMER || !actor || actor.dueAt === null || actor.dueAt > draft.now) return;
    const later = draft.now + PARKED_MS;
    draft.update(kind.definition.entity, timer.actorId, { dueAt: later });
    draft.upsert(TimerRows, { ...timer, id: timerId(timer.kind, timer.actorId, timer.name), dueAt: later });
  }

  async #settle(effect: EffectRow, outcome: EffectOutcome): Promise<boolean> {
    const known = this.#kind(effect.kind);
    const event = outcome.ok
      ? { type: `xstate.done.actor.${effect.invokeId}`, output: outcome.output, actorId: effect.invokeId }
      : { type: `xstate.error.actor.${effect.invokeId}`, error: outcome.error, actorId: effect.invokeId };
    const told = await this.#guarded(effect.kind, effect.actorId, () =>
      this.#options.commits.submit({
        name: `${effect.kind}.effect`,
        locks: [lock(EffectRows, effect.id), ...locksOf(known, effect.actorId)],
        decide: (draft) => {
          const row = draft.find(EffectRows, effect.id);
          if (row?.run !== effect.run) return;
          draft.delete(EffectRows, effect.id);
          this.#stepper.step(draft, known, effect.actorId, { ...event, at: draft.now }, systemOrigin("effect"));
        },
      }),
    );
    return told === "done";
  }

  /**
   * What a resident saw must reach its actor, or the actor would believe in a resident that is done: an absent database
   * is waited for, a chart that throws is told again until its quarantine.
   */
  async #deliver(kind: string, id: number, event: AnyEventObject, alive: () => boolean): Promise<void> {
    const known = this.#kind(kind);
    while (this.#mode !== "draining" && alive()) {
      const told = await this.#guarded(kind, id, () =>
        this.#options.commits.submit({
          name: `${kind}.${event.type}`,
          locks: locksOf(known, id),
          decide: (draft) => alive() && this.#stepper.step(draft, known, id, event, systemOrigin("effect")),
        }),
      );
      if (told !== "again") return;
      await new Promise<void>((resolve) => this.#options.clock.after(DELIVER_AGAIN_MS, resolve));
    }
  }

  /**
   * Nobody waits for the outcome: a chart's fault is counted on its actor, an absent database is left to the next try.
   * `refused`: the actor is gone or in quarantine.
   */
  async #guarded(kind: string, id: number, work: () => Promise<unknown>): Promise<"done" | "refused" | "again"> {
    try {
      await work();
      return "done";
    } catch (error) {
      if (error instanceof ActorMissing || error instanceof ActorQuarantined) return "refused";
      this.#options.onError(error, `${kind} ${id}`);
      if (!(error instanceof StoreUnavailable)) await this.#countFault(kind, id, error);
      return "again";
    }
  }

  async #countFault(kind: string, id: number, error: unknown): Promise<void> {
    const { definition } = this.#kind(kind);
    const { message, cause } = chartProblem(error);
    try {
      await this.#options.commits.submit({
        name: `${kind}.fault`,
        locks: [lock(definition.entity, id)],
        decide: (draft) => {
          const row = draft.find(definition.entity, id);
          if (!row) return;
          const count = row.faultCount + 1;
          const noted = { faultAt: draft.now, faultCount: count, faultMessage: message, faultCause: cause };
          draft.update(definition.entity, id, noted);
          if (count < FAULT_LIMIT) return;
          const fault = { at: draft.now, count, message, cause };
          draft.publish(FAULT, { kind, id, name: definition.nameOf(row), fault });
        },
      });
    } catch (failure) {
      this.#options.onError(failure, `${kind} ${id}`);
    }
  }
}

/** The rows that a step of an actor needs. */
function locksOf({ definition }: ActorKind, id: number): Lock[] {
  return [lock(definition.entity, id), ...(definition.locks?.(id) ?? [])];
}
