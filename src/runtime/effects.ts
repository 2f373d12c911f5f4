// Runs queued effects: at least once, each under a lease and its own limits. The table is the truth; memory holds what
// this process is running and the near future.
//
// A row is `pending` until a process claims it (one commit), then `running` until its result is committed together with
// the transition that it causes. A process that dies leaves `running` rows, which others claim with the next attempt as
// soon as it counts as dead (at once where this is the only process), or when the lease has run out. A row that is gone
// or carries another `run` has been overtaken by its chart: the work is aborted and its result is dropped.
//
// How one of them is carried out is in `effect-attempts.ts`. A new run that the chart begins waits for the old one in
// this process. In another process it may run beside it, under its own key and with the newer fence; of an errand it
// waits there too. An errand that waits fails at its deadline.
//
// Among several processes an effect runs where it was asked for; what was not begun there, the process that holds the
// actor's shard finds. A `held` effect runs with that one alone.
import PQueue from "p-queue";
import type { Cancel } from "../lib/clock.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal } from "../lib/signals.ts";
import type { EffectRow } from "./actor.entity.ts";
import type { WorkEffect } from "./definition.ts";
import { EffectAttempts, ShardLost, type AttemptOptions, type Running } from "./effect-attempts.ts";
import { LEASE_MS } from "./effect-leases.ts";
import { ErrandRuns } from "./errand-runs.ts";
import type { ErrandLog } from "./errand-log.ts";
import type { ErrandSecrets } from "./errand-secrets.ts";
import { AsideRows } from "./aside-rows.ts";
import { shardOf } from "./shards.ts";
import type { EffectEnd } from "./facts.ts";
import { revOfRun } from "./step-actions.ts";

const POLL_MS = 1000;
const POLL_ROWS = 500;
/** Leases are renewed three times before they run out. */
const MOST_FAILED_RENEWALS = 2;
/** Effects of one kind that wait in memory; further ones wait in their rows. */
const QUEUE_LIMIT = 1000;

export interface EffectOptions extends Omit<AttemptOptions, "errands" | "aside" | "again"> {
  readonly handlerOf: (kind: string, src: string) => WorkEffect | undefined;
  /** Groups (`kind:src`) of all effects that are handled here. What a newer panel brought is none of them. */
  readonly groups: () => readonly string[];
  /** Groups of effects that only the holder of the actor's shard may run. */
  readonly heldGroups: () => readonly string[];
  /** Groups of errands that only the process may run that has their secrets. */
  readonly secretGroups: () => readonly string[];
  readonly log: ErrandLog;
  readonly secrets: ErrandSecrets;
  /** Poll interval: finds what is due after a longer wait, and what other processes left. */
  readonly pollMs?: number;
}

export class Effects {
  readonly #options: Required<EffectOptions>;
  readonly #depths: Signal<SignalTable["effect.depth"]>;
  readonly #errands: ErrandRuns;
  readonly #attempts: EffectAttempts;
  readonly #queues = new Map<string, PQueue>();
  /** Queued or running here, by effect id. */
  readonly #mine = new Map<string, Running>();
  /** Runs that have a place, each with its end. */
  readonly #placed = new Map<Running, Promise<void>>();
  /** Wake-ups for effects that are tried again before the next poll. */
  readonly #retries = new Set<Cancel>();
  /** Runs of actors that are put aside. */
  readonly #aside = new AsideRows();
  #cancelPoll: Cancel = () => {};
  #cancelRenewal: Cancel = () => {};
  #polling: Promise<void> | undefined;
  /** In a row. */
  #failedRenewals = 0;
  /** There is more to read once there is room. */
  #more = false;
  #stopListening: () => void = () => {};
  #stopped = true;

  constructor(options: EffectOptions) {
    this.#options = { pollMs: POLL_MS, ...options };
    const { clock, signals, leases, log, secrets, onError } = options;
    this.#errands = new ErrandRuns({ clock, log, secrets, over: (effect) => leases.over(effect), onError });
    const again = (effect: EffectRow, waitMs: number) => this.#again(effect, waitMs);
    const aside = ({ run }: EffectRow) => this.#aside.add(run, clock.now());
    this.#attempts = new EffectAttempts({ ...options, errands: this.#errands, aside, again });
    this.#depths = signals.of("effect.depth");
  }

  start(): void {
    this.#stopped = false;
    this.#stopListening = this.#options.shards.onChange(({ gained, lost }) => {
      for (const { held, actorId, abort } of this.#mine.values())
        if (held && lost.has(shardOf(actorId))) abort.abort(new ShardLost());
      if (gained.size > 0) this.#poll();
    });
    this.#poll();
    this.#renewLater();
  }

  /**
   * Starts nothing more, aborts what runs and waits for it at most `graceMs`. What did not settle runs again after the
   * next start.
   *
   * A run that ignored its abort before the stop began is not waited for: it would only use up the time. That is as
   * safe as to let it go at the end of the time. Nothing of it is committed any more, since its outcome was decided
   * when it was aborted. The next attempt, here or in another process, is a claim of the same row: it has the same
   * key, by which a receiver knows it, and a fence that is not older.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#attempts.stop();
    this.#stopListening();
    this.#cancelPoll();
    this.#cancelRenewal();
    for (const cancel of this.#retries) cancel();
    for (const queue of this.#queues.values()) queue.clear();
    const waited = [...this.#placed].filter(([{ decided, work }]) => !(decided && work?.overruns === true));
    for (const running of [...this.#mine.values(), ...this.#placed.keys()])
      running.abort.abort(new Error("the panel is shutting down"));
    const all = Promise.all(waited.map(([, end]) => end));
    let cancel: Cancel = () => {};
    await Promise.race([all, new Promise<void>((resolve) => (cancel = this.#options.clock.after(graceMs, resolve)))]);
    cancel();
    // What ignores its abort is not waited for any longer.
    const going = this.#errands.letGo();
    for (const { work } of [...this.#mine.values(), ...this.#placed.keys()]) work?.letGo();
    await this.#polling;
    // A database that is away must not keep the panel from stopping: the leases run out by themselves.
    await this.#options.leases.release(going).catch((error: unknown) => this.#options.onError(error, "effects"));
  }

  /** A commit asked for this effect. */
  started(effect: EffectRow): void {
    this.#enqueue(effect);
  }

  /**
   * A commit, here or in another process, ended this effect. An effect that started later continues, because the
   * message about another process's commit may be late.
   */
  ended({ id, rev }: EffectEnd): void {
    const running = this.#mine.get(id);
    if (running && revOfRun(running.run) < rev) running.abort.abort(new Error("the chart left the state"));
  }

  #enqueue(effect: EffectRow): void {
    const { handlerOf, leases, shards, onError } = this.#options;
    if (this.#stopped) return;
    const earlier = this.#mine.get(effect.id);
    // Also a row that was read before the chart began the effect again.
    if (earlier && revOfRun(earlier.run) >= revOfRun(effect.run)) return;
    earlier?.abort.abort(new Error("the chart began it anew"));
    const handler = handlerOf(effect.kind, effect.src);
    if (!handler) {
      onError(new Error(`no effect handles ${effect.kind} ${effect.src}`), `effect ${effect.id}`);
      return;
    }
    const held = handler.held === true;
    if ((held && !shards.holds(effect.actorId)) || !leases.mayRunHere(effect)) return;
    const queue = this.#queueOf(effect, handler);
    if (queue.size >= QUEUE_LIMIT) {
      this.#more = true;
      return;
    }
    const running: Running = {
      run: effect.run,
      actorId: effect.actorId,
      held,
      abort: new AbortController(),
      begun: false,
      claimed: false,
      decided: false,
      work: earlier?.work,
    };
    this.#mine.set(effect.id, running);
    const cancel = this.#errands.atDeadline(effect, () => void this.#expire(effect, handler, running));
    const begin = () =>
      queue.add(() => this.#inPlace(running, this.#attempts.carryOut(effect, handler, running, queue)));
    const before = this.#errands.workOf(effect.id)?.ended ?? running.work?.over;
    // It takes no place while it waits for the earlier run.
    (before ? before.then(begin) : begin())
      .catch((error: unknown) => onError(error, `effect ${effect.id}`))
      .finally(() => {
        cancel();
        this.#forget(effect, running);
        this.#tellDepth(effect, queue);
        if (this.#more && queue.size <= QUEUE_LIMIT / 4) this.#poll();
      });
    this.#tellDepth(effect, queue);
  }

  /** The deadline of an errand: one that still waits does not begin. */
  async #expire(effect: EffectRow, handler: WorkEffect, running: Running): Promise<void> {
    if (running.begun || this.#stopped || running.abort.signal.aborted) return;
    try {
      await this.#inPlace(running, this.#attempts.expire(effect, handler, running));
    } catch (error) {
      this.#options.onError(error, `effect ${effect.id}`);
    } finally {
      this.#forget(effect, running);
    }
  }

  #forget({ id }: EffectRow, running: Running): void {
    if (this.#mine.get(id) === running) this.#mine.delete(id);
  }

  #tellDepth({ kind, src }: EffectRow, { size, pending }: PQueue): void {
    if (this.#depths.heard) this.#depths.tell({ kind, src, waiting: size, running: pending });
  }

  #queueOf(effect: EffectRow, handler: WorkEffect): PQueue {
    const name = `${effect.kind}:${effect.src}`;
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = new PQueue({ concurrency: handler.concurrency });
      this.#queues.set(name, queue);
    }
    return queue;
  }

  /** Knows the run as one that has a place, until its end. */
  async #inPlace(running: Running, end: Promise<void>): Promise<void> {
    const settled = end.catch(() => {});
    this.#placed.set(running, settled);
    try {
      await end;
    } finally {
      this.#placed.delete(running);
    }
  }

  /** An attempt failed, and the next one is due soon. */
  #again(effect: EffectRow, waitMs: number): void {
    const { clock, pollMs } = this.#options;
    if (this.#stopped || waitMs >= pollMs) return;
    const cancel = clock.after(waitMs, () => {
      this.#retries.delete(cancel);
      this.#enqueue(effect);
    });
    this.#retries.add(cancel);
  }

  /** Reads due effects and schedules the next poll. */
  #poll(): void {
    if (this.#stopped || this.#polling) return;
    this.#cancelPoll();
    this.#more = false;
    this.#polling = this.#look()
      .catch((error: unknown) => this.#options.onError(error, "effects"))
      .finally(() => {
        this.#polling = undefined;
        if (!this.#stopped) this.#cancelPoll = this.#options.clock.after(this.#options.pollMs, () => this.#poll());
      });
  }

  async #look(): Promise<void> {
    const { leases, clock, groups, heldGroups, secretGroups } = this.#options;
    for (const row of await leases.orphans(groups(), secretGroups())) this.#enqueue(row);
    const full = [...this.#queues].flatMap(([name, queue]) => (queue.size >= QUEUE_LIMIT ? [name] : []));
    const now = clock.now();
    // What this process has already is found again, so it must not use up the room of the rest.
    const limit = POLL_ROWS + this.#mine.size + this.#aside.count(now);
    const roomy = groups().filter((group) => !full.includes(group));
    const rows = await leases.due(limit, roomy, heldGroups());
    if (rows.length === limit || full.length > 0) this.#more = true;
    for (const row of rows) if (!this.#aside.has(row.run, now)) this.#enqueue(row);
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#options.clock.after(LEASE_MS / 3, () => {
      void this.#renew().finally(() => {
        if (!this.#stopped) this.#renewLater();
      });
    });
  }

  /**
   * Extends the leases of everything that runs here, and aborts what another process has ended meanwhile. Where the
   * database is away, errands are aborted before their leases run out: another process may begin them then.
   */
  async #renew(): Promise<void> {
    const { leases, onError } = this.#options;
    const claimed = [...this.#mine].filter(([, running]) => running.claimed);
    const ids = new Set([...claimed.map(([id]) => id), ...this.#errands.going]);
    if (ids.size === 0) return;
    try {
      const current = await leases.renew([...ids]);
      this.#failedRenewals = 0;
      for (const [id, running] of claimed) {
        if (current.get(id) !== running.run) running.abort.abort(new Error("the chart left the state"));
      }
    } catch (error) {
      onError(error, "effects");
      if (++this.#failedRenewals < MOST_FAILED_RENEWALS) return;
      const errands = claimed.filter(([id]) => this.#errands.workOf(id));
      for (const [, { abort }] of errands) abort.abort(new Error("the lease of the errand is running out"));
    }
  }
}
