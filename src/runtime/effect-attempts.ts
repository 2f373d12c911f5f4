// Carries out an effect that has its turn: claims it, runs its handler, and commits what came of it, or puts it off.
//
// Work that ignores its abort (`effect-work.ts`) keeps its place in `concurrency` and its lease until it has ended or
// is given up on, so no retry, of this process or another, runs beside it. The chart hears at once only of a last
// attempt, and of an errand at its deadline. Of an errand no run begins beside an old one anywhere, however late that
// ends (`errand-runs.ts`).
import type PQueue from "p-queue";
import type { Clock } from "../lib/clock.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import type { EffectRow } from "./actor.entity.ts";
import type { WorkEffect } from "./definition.ts";
import type { EffectLeases } from "./effect-leases.ts";
import { outcomeOf, type EffectOutcome } from "./effect-outcome.ts";
import { EffectWork, workWatch, type WorkWatch } from "./effect-work.ts";
import { lateProblem, type ErrandRuns } from "./errand-runs.ts";
import { SecretLost } from "./errand-secrets.ts";
import { Place } from "./lent-place.ts";
import { EffectFailure, problem, type ToldProblem } from "./problems.ts";
import type { Shards } from "./shards.ts";

/** Between tries of telling a chart that its errand is late while the database is away. */
const TELL_AGAIN_MS = 10_000;

/** An effect that waits or runs in this process. */
export interface Running {
  readonly run: string;
  readonly actorId: number;
  /** Runs only while the actor's shard is held here. */
  readonly held: boolean;
  readonly abort: AbortController;
  /** It had its turn. */
  begun: boolean;
  claimed: boolean;
  /** What came of it is committed or dropped: nothing but the work's own end is waited for. */
  decided: boolean;
  /** The handler that runs; before that, the one of an earlier run of the same effect, which is waited for. */
  work: EffectWork | undefined;
}

type AttemptEnd = SignalTable["effect.attempt"]["ended"];

export interface AttemptOptions {
  readonly leases: EffectLeases;
  readonly shards: Shards;
  readonly clock: Clock;
  readonly random: () => number;
  readonly errands: ErrandRuns;
  /**
   * Commits the end of an effect with the transition that it causes; nothing when the row is gone or its `run` differs.
   * Resolves to false when the actor could not take it; must not reject.
   */
  readonly settle: (effect: EffectRow, outcome: EffectOutcome) => Promise<boolean>;
  /** Its actor is put aside: the row stays as it is for a newer panel. */
  readonly aside: (effect: EffectRow) => void;
  /** Another attempt is due in `waitMs`, as the row says too. */
  readonly again: (effect: EffectRow, waitMs: number) => void;
  readonly signals: Signals;
  readonly onError: (error: unknown, about: string) => void;
}

export class EffectAttempts {
  readonly #options: AttemptOptions;
  readonly #watch: WorkWatch;
  readonly #attempts: Signal<SignalTable["effect.attempt"]>;
  readonly #stopping = new AbortController();

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#watch = workWatch(options.clock, options.signals);
    this.#attempts = options.signals.of("effect.attempt");
  }

  /** Nothing begins from now on; what runs is only waited for. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Claims an effect and runs it, until its work has ended or lost its place, and what came of it is committed. */
  async carryOut(effect: EffectRow, handler: WorkEffect, running: Running, queue: PQueue): Promise<void> {
    const { shards, errands } = this.#options;
    const { signal } = running.abort;
    if (running.begun || this.#stopped || signal.aborted) return;
    if (running.held && !shards.holds(effect.actorId)) return;
    const attempt = await this.#claim(effect, handler, running);
    if (attempt === undefined) return;
    const obstacle = errands.obstacle(effect, handler);
    if (obstacle) return void (await this.#fail(effect, handler, attempt, obstacle));
    const begun = this.#attempts.begun();
    const ended = await this.#attempt(effect, handler, attempt, running, queue);
    if (begun === undefined) return;
    const { kind, src } = effect;
    this.#attempts.tell({ kind, src, attempt, ended, ms: this.#attempts.since(begun) });
  }

  /** The deadline of an errand that waits for its turn: its chart hears, and it does not begin. */
  async expire(effect: EffectRow, handler: WorkEffect, running: Running): Promise<void> {
    const attempt = await this.#claim(effect, handler, running);
    // The clock of the commit may be behind.
    if (attempt !== undefined) await this.#fail(effect, handler, attempt, lateProblem(handler));
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The number of the attempt that begins; undefined: none does. */
  async #claim(effect: EffectRow, handler: WorkEffect, running: Running): Promise<number | undefined> {
    running.begun = true;
    const claim = await this.#options.leases.claim(effect);
    if (claim === "aside") {
      this.#options.aside(effect);
      return undefined;
    }
    running.claimed = claim !== undefined;
    if (claim === undefined || "attempt" in claim) return claim?.attempt;
    const why = claim.refused === "errand_late" ? lateProblem(handler) : new SecretLost().problem;
    await this.#fail(effect, handler, effect.attempt, why);
    return undefined;
  }

  async #attempt(
    effect: EffectRow,
    handler: WorkEffect,
    attempt: number,
    running: Running,
    queue: PQueue,
  ): Promise<AttemptEnd> {
    const { shards, settle, errands } = this.#options;
    const { signal } = running.abort;
    if (signal.aborted) return this.#aborted(effect, signal);
    const { kind, actorId, run: idempotencyKey } = effect;
    const run = { kind, actorId, idempotencyKey, attempt, fence: shards.token(actorId) };
    const place = new Place(queue);
    const bounds = { attempt, timeoutMs: errands.timeoutOf(effect, handler), aborted: signal };
    errands.tell(effect, handler, attempt);
    const begin = (own: AbortSignal) => errands.run(effect, handler, { ...run, signal: own }, place);
    const work = new EffectWork(effect, begin, bounds, this.#watch);
    running.work = work;
    if (handler.mode === "errand") errands.track(effect, work, signal);
    const keepsRow = () => handler.mode === "errand" && work.goesOn;
    const outcome = await outcomeOf(work, keepsRow, () =>
      errands.isLate(effect) ? lateProblem(handler) : attempt >= handler.attempts,
    );
    const told = "again" in outcome ? outcome.again : outcome.ok ? undefined : outcome.told;
    if (told && !signal.aborted) errands.tell(effect, handler, attempt, told);
    await errands.written(effect, handler);
    const final = "ok" in outcome && !signal.aborted ? outcome : undefined;
    const taken = final && (await settle(effect, final));
    running.decided = true;
    const why = "again" in outcome ? outcome.again : RESULT_REFUSED;
    const overruns = keepsRow() && !taken && !signal.aborted;
    const later = overruns && this.#afterOverrun(effect, handler, attempt, work, why, signal);
    await work.over;
    place.leave();
    if (later && !work.goesOn) await later;
    if (final && taken) return final.ok ? "done" : "failed";
    if (!final && signal.aborted) return this.#aborted(effect, signal);
    if (!overruns) await this.#tryLater(effect, handler, attempt, why);
    return "again";
  }

  /** The retry of an errand waits for the real end of the attempt before. At its deadline its chart hears. */
  async #afterOverrun(
    effect: EffectRow,
    handler: WorkEffect,
    attempt: number,
    work: EffectWork,
    why: ToldProblem,
    signal: AbortSignal,
  ): Promise<void> {
    const { errands, onError } = this.#options;
    try {
      await errands.endOrPause(work, errands.remaining(effect));
      while (work.goesOn && !this.#stopped && !signal.aborted) {
        if (await this.#fail(effect, handler, attempt, lateProblem(handler))) return;
        await errands.endOrPause(work, TELL_AGAIN_MS);
      }
      if (!this.#stopped && !signal.aborted) await this.#tryLater(effect, handler, attempt, why);
    } catch (error) {
      onError(error, `effect ${effect.id}`);
    }
  }

  /** An errand that cannot run: its chart hears why. Resolves to whether it did. */
  async #fail(effect: EffectRow, handler: WorkEffect, attempt: number, told: ToldProblem): Promise<boolean> {
    const { errands, settle } = this.#options;
    errands.tell(effect, handler, attempt, told);
    await errands.written(effect, handler);
    return settle(effect, { ok: false, error: told.message, cause: told.cause, goesOn: true });
  }

  async #aborted(effect: EffectRow, { reason }: AbortSignal): Promise<"aborted"> {
    // The new holder of the shard need not wait for the lease. Work that ignores its abort keeps it until it ends.
    if (reason instanceof ShardLost) await this.#options.leases.putOff(effect, 0, reason.problem);
    return "aborted";
  }

  /** Full-jitter backoff. An errand that waits longer than its deadline is found then. */
  async #tryLater(effect: EffectRow, handler: WorkEffect, attempt: number, why: ToldProblem): Promise<void> {
    const { leases, random, errands, again } = this.#options;
    const ceiling = Math.min(handler.backoffMaxMs, handler.backoffMs * 2 ** (attempt - 1));
    const wait = Math.min(Math.ceil(ceiling * random()), errands.remaining(effect));
    if ((await leases.putOff(effect, wait, why)) && !this.#stopped) again(effect, wait);
  }
}

const RESULT_REFUSED = problem("the actor did not take the result", "result_refused");

/** Another process holds the actor's shard, or will in a moment. */
export class ShardLost extends EffectFailure {
  override readonly name = "ShardLost";
  constructor() {
    super(problem("this process lost the actor's shard", "shard_lost"));
  }
}
