// Runs queued effects: at least once, each under a lease and its own limits. The table is the truth; memory holds what
// this process is running and the near future.
//
// A row is `pending` until a process claims it (one commit), then `running` until its result is committed together with
// the transition that it causes. A process that dies leaves `running` rows, which others claim with the next attempt as
// soon as it counts as dead (at once where this is the only process), or when the lease has run out. A row that is gone
// or carries another `run` has been overtaken by its chart: the work is aborted and its result is dropped.
//
// Work that ignores its abort (`effect-work.ts`) keeps its place in `concurrency` and its lease until it has ended or
// is given up on, so no retry, of this process or another, runs beside it. The chart hears at once only of a last
// attempt. A new run that the chart begins waits for the old one in this process. In another process it may run beside
// it, under its own key and with the newer fence. Of an errand none runs beside an old one anywhere (`errand-runs.ts`).
//
// Among several processes an effect runs where it was asked for; what was not begun there, the process that holds the
// actor's shard finds. A `held` effect runs with that one alone.
import PQueue from "p-queue";
import type { Cancel, Clock } from "../lib/clock.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import type { EffectRow } from "./actor.entity.ts";
import type { WorkEffect } from "./definition.ts";
import { outcomeOf, type EffectOutcome } from "./effect-outcome.ts";
import { LEASE_MS, type EffectLeases } from "./effect-leases.ts";
import { EffectWork, workWatch, type WorkWatch } from "./effect-work.ts";
import { ErrandRuns, lateProblem } from "./errand-runs.ts";
import type { ErrandLog } from "./errand-log.ts";
import { SecretLost, type ErrandSecrets } from "./errand-secrets.ts";
import { EffectFailure, problem, type ToldProblem } from "./problems.ts";
import { shardOf, type Shards } from "./shards.ts";
import type { EffectEnd } from "./facts.ts";
import { revOfRun } from "./step-actions.ts";

const POLL_MS = 1000;
const POLL_ROWS = 500;
/** Effects of one kind that wait in memory; further ones wait in their rows. */
const QUEUE_LIMIT = 1000;

export interface EffectOptions {
  readonly leases: EffectLeases;
  readonly shards: Shards;
  readonly clock: Clock;
  readonly random: () => number;
  readonly handlerOf: (kind: string, src: string) => WorkEffect | undefined;
  /** Groups (`kind:src`) of all effects that are handled here. What a newer panel brought is none of them. */
  readonly groups: () => readonly string[];
  /** Groups of effects that only the holder of the actor's shard may run. */
  readonly heldGroups: () => readonly string[];
  /**
   * Commits the end of an effect with the transition that it causes; nothing when the row is gone or its `run` differs.
   * Resolves to false when the actor could not take it; must not reject.
   */
  readonly settle: (effect: EffectRow, outcome: EffectOutcome) => Promise<boolean>;
  readonly log: ErrandLog;
  readonly secrets: ErrandSecrets;
  readonly signals: Signals;
  readonly onError: (error: unknown, about: string) => void;
  /** Poll interval: finds what is due after a longer wait, and what other processes left. */
  readonly pollMs?: number;
}

interface Running {
  readonly run: string;
  readonly actorId: number;
  /** Runs only while the actor's shard is held here. */
  readonly held: boolean;
  readonly abort: AbortController;
  claimed: boolean;
  /** What came of it is committed or dropped: nothing but the work's own end is waited for. */
  decided: boolean;
  /** The handler that runs; before that, the one of an earlier run of the same effect, which is waited for. */
  work: EffectWork | undefined;
}

type AttemptEnd = SignalTable["effect.attempt"]["ended"];

export class Effects {
  readonly #options: Required<EffectOptions>;
  readonly #watch: WorkWatch;
  readonly #depths: Signal<SignalTable["effect.depth"]>;
  readonly #attempts: Signal<SignalTable["effect.attempt"]>;
  readonly #errands: ErrandRuns;
  readonly #queues = new Map<string, PQueue>();
  /** Queued or running here, by effect id. */
  readonly #mine = new Map<string, Running>();
  /** Runs that have a place, each with its end. */
  readonly #placed = new Map<Running, Promise<void>>();
  /** Wake-ups for effects that are tried again before the next poll. */
  readonly #retries = new Set<Cancel>();
  #cancelPoll: Cancel = () => {};
  #cancelRenewal: Cancel = () => {};
  #polling: Promise<void> | undefined;
  /** There is more to read once there is room. */
  #more = false;
  #stopListening: () => void = () => {};
  #stopped = true;

  constructor(options: EffectOptions) {
    this.#options = { pollMs: POLL_MS, ...options };
    const { clock, signals, leases, log, secrets, onError } = options;
    this.#errands = new ErrandRuns({ clock, log, secrets, over: (effect) => leases.over(effect), onError });
    this.#watch = workWatch(clock, signals);
    this.#depths = signals.of("effect.depth");
    this.#attempts = signals.of("effect.attempt");
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
    const going = this.#errands.going;
    for (const id of going) this.#errands.workOf(id)?.letGo();
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
      claimed: false,
      decided: false,
      work: earlier?.work,
    };
    this.#mine.set(effect.id, running);
    const begin = () => queue.add(() => this.#inPlace(running, this.#carryOut(effect, handler, running)));
    const going = this.#errands.workOf(effect.id);
    const before = going ? this.#errands.endOrDeadline(going, effect) : running.work?.over;
    // It takes no place while it waits for the earlier run.
    (before ? before.then(begin) : begin())
      .catch((error: unknown) => onError(error, `effect ${effect.id}`))
      .finally(() => {
        if (this.#mine.get(effect.id) === running) this.#mine.delete(effect.id);
        this.#tellDepth(effect, queue);
        if (this.#more && queue.size <= QUEUE_LIMIT / 4) this.#poll();
      });
    this.#tellDepth(effect, queue);
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

  async #carryOut(effect: EffectRow, handler: WorkEffect, running: Running): Promise<void> {
    const { leases, shards } = this.#options;
    const { signal } = running.abort;
    if (this.#stopped || signal.aborted || (running.held && !shards.holds(effect.actorId))) return;
    const claim = await leases.claim(effect);
    running.claimed = claim !== undefined;
    if (claim === undefined) return;
    if ("refused" in claim) return this.#refuse(effect, handler, claim.refused);
    const { attempt } = claim;
    const obstacle = this.#errands.obstacle(effect, handler);
    if (obstacle) return this.#fail(effect, handler, obstacle);
    const begun = this.#attempts.begun();
    const ended = await this.#attempt(effect, handler, attempt, running);
    if (begun === undefined) return;
    const { kind, src } = effect;
    this.#attempts.tell({ kind, src, attempt, ended, ms: this.#attempts.since(begun) });
  }

  /** One attempt, until its work has ended and what came of it is committed. */
  async #attempt(effect: EffectRow, handler: WorkEffect, attempt: number, running: Running): Promise<AttemptEnd> {
    const { shards, settle } = this.#options;
    const { signal } = running.abort;
    if (signal.aborted) return this.#aborted(effect, signal);
    const fence = shards.token(effect.actorId);
    const { kind, actorId, run: idempotencyKey } = effect;
    const run = { kind, actorId, idempotencyKey, attempt, fence };
    const queue = this.#queueOf(effect, handler);
    const bounds = { attempt, timeoutMs: this.#errands.timeoutOf(effect, handler), aborted: signal };
    this.#errands.tell(effect, handler, attempt);
    const given = (own: AbortSignal) => this.#errands.runWith({ ...run, signal: own }, handler, queue);
    const work = new EffectWork(effect, handler, given, bounds, this.#watch);
    running.work = work;
    if (handler.mode === "errand") this.#errands.track(effect, work, signal);
    const outcome = await outcomeOf(work, () =>
      this.#errands.isLate(effect) ? lateProblem(handler) : attempt >= handler.attempts,
    );
    const told = "again" in outcome ? outcome.again : outcome.ok ? undefined : outcome.told;
    if (told) this.#errands.tell(effect, handler, attempt, told);
    await this.#errands.written(effect, handler);
    const final = "ok" in outcome && !signal.aborted ? outcome : undefined;
    const taken = final && (await settle(effect, final));
    running.decided = true;
    await work.over;
    if (final && taken) return final.ok ? "done" : "failed";
    if (!final && signal.aborted) return this.#aborted(effect, signal);
    const why = "again" in outcome ? outcome.again : RESULT_REFUSED;
    if (handler.mode === "errand" && work.goesOn) void this.#afterOverrun(effect, handler, attempt, work, why);
    else await this.#tryLater(effect, handler, attempt, why);
    return "again";
  }

  /** Work of an errand that goes on after its hard bound has no place any more; its retry waits for its end. */
  async #afterOverrun(effect: EffectRow, handler: WorkEffect, attempt: number, work: EffectWork, why: ToldProblem) {
    try {
      await this.#errands.endOrDeadline(work, effect);
      if (this.#stopped) return;
      if (work.goesOn) await this.#fail(effect, handler, lateProblem(handler));
      else await this.#tryLater(effect, handler, attempt, why);
    } catch (error) {
      this.#options.onError(error, `effect ${effect.id}`);
    }
  }

  #refuse(effect: EffectRow, handler: WorkEffect, refused: "errand_late" | "secret_lost"): Promise<void> {
    return this.#fail(effect, handler, refused === "errand_late" ? lateProblem(handler) : new SecretLost().problem);
  }

  /** An errand that cannot run any more: its chart hears why. */
  async #fail(effect: EffectRow, handler: WorkEffect, told: ToldProblem): Promise<void> {
    this.#errands.tell(effect, handler, effect.attempt, told);
    await this.#errands.written(effect, handler);
    await this.#options.settle(effect, { ok: false, error: told.message, cause: told.cause, goesOn: true });
  }

  async #aborted(effect: EffectRow, { reason }: AbortSignal): Promise<"aborted"> {
    // The new holder of the shard need not wait for the lease. Work that ignores its abort keeps it until it ends.
    if (reason instanceof ShardLost) await this.#options.leases.putOff(effect, 0, reason.problem);
    return "aborted";
  }

  /** Full-jitter backoff. */
  async #tryLater(effect: EffectRow, handler: WorkEffect, attempt: number, why: ToldProblem): Promise<void> {
    const { leases, clock, random } = this.#options;
    const ceiling = Math.min(handler.backoffMaxMs, handler.backoffMs * 2 ** (attempt - 1));
    const wait = Math.ceil(ceiling * random());
    if (!(await leases.putOff(effect, wait, why)) || this.#stopped || wait >= this.#options.pollMs) return;
    const cancel = clock.after(wait, () => {
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
    const { leases, groups, heldGroups } = this.#options;
    for (const row of await leases.orphans(groups())) this.#enqueue(row);
    const full = [...this.#queues].flatMap(([name, queue]) => (queue.size >= QUEUE_LIMIT ? [name] : []));
    // What this process has already is found again, so it must not use up the room of the rest.
    const limit = POLL_ROWS + this.#mine.size;
    const roomy = groups().filter((group) => !full.includes(group));
    const rows = await leases.due(limit, roomy, heldGroups());
    if (rows.length === limit || full.length > 0) this.#more = true;
    for (const row of rows) this.#enqueue(row);
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#options.clock.after(LEASE_MS / 3, () => {
      void this.#renew().finally(() => {
        if (!this.#stopped) this.#renewLater();
      });
    });
  }

  /** Extends the leases of everything that runs here, and aborts what another process has ended meanwhile. */
  async #renew(): Promise<void> {
    const { leases, onError } = this.#options;
    const claimed = [...this.#mine].filter(([, running]) => running.claimed);
    const ids = new Set([...claimed.map(([id]) => id), ...this.#errands.going]);
    if (ids.size === 0) return;
    try {
      const current = await leases.renew([...ids]);
      for (const [id, running] of claimed) {
        if (current.get(id) !== running.run) running.abort.abort(new Error("the chart left the state"));
      }
    } catch (error) {
      onError(error, "effects");
    }
  }
}

const RESULT_REFUSED = problem("the actor did not take the result", "result_refused");

/** Another process holds the actor's shard, or will in a moment. */
class ShardLost extends EffectFailure {
  override readonly name = "ShardLost";
  constructor() {
    super(problem("this process lost the actor's shard", "shard_lost"));
  }
}
