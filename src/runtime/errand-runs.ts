// The errands that run in this process: their time, their log, and those whose work has not ended.
//
// Invariants:
// - Work of an errand that ignores its abort may lose its place at the hard bound (`effect-work.ts`), but no other run
//   of that errand begins before its real end: neither here, nor in another process, where the lease of its row says
//   so. A run that waits for it fails at its own deadline.
// - The chart hears at the deadline at the latest, whatever goes on.
import type { Cancel, Clock } from "../lib/clock.ts";
import type { EffectRow } from "./actor.entity.ts";
import type { EffectRun, WorkEffect } from "./definition.ts";
import type { EffectWork } from "./effect-work.ts";
import { runErrand } from "./errand-handler.ts";
import type { ErrandLog } from "./errand-log.ts";
import { SecretLost, type ErrandSecrets } from "./errand-secrets.ts";
import type { Place } from "./lent-place.ts";
import { problem, type ToldProblem } from "./problems.ts";

export interface ErrandRunsOptions {
  readonly clock: Clock;
  readonly log: ErrandLog;
  readonly secrets: ErrandSecrets;
  /** The work of an errand has ended: what waits for it may begin. */
  readonly over: (effect: EffectRow) => Promise<void>;
  readonly onError: (error: unknown, about: string) => void;
}

export class ErrandRuns {
  readonly #options: ErrandRunsOptions;
  /** By effect id. */
  readonly #going = new Map<string, EffectWork>();

  constructor(options: ErrandRunsOptions) {
    this.#options = options;
  }

  /** Ids of the errands whose work has not ended. */
  get going(): string[] {
    return [...this.#going.keys()];
  }

  /** The work of an errand that has not ended. */
  workOf(id: string): EffectWork | undefined {
    return this.#going.get(id);
  }

  /** Remembers work until its real end. `aborted`: its chart may have left it meanwhile. */
  track(effect: EffectRow, work: EffectWork, aborted: AbortSignal): void {
    const { over, onError } = this.#options;
    this.#going.set(effect.id, work);
    const end = async () => {
      await work.result.catch(() => {});
      const wasCut = work.goesOn;
      await work.ended;
      if (this.#going.get(effect.id) === work) this.#going.delete(effect.id);
      // Nobody knows of work that this process lets go when it stops whether it has ended.
      if (!work.goesOn && (wasCut || aborted.aborted)) await over(effect);
    };
    end().catch((error: unknown) => onError(error, `errand ${effect.id}`));
  }

  /** Waits no longer for what goes on, because this process ends. Gives the ids of those errands. */
  letGo(): string[] {
    const ids = this.going;
    for (const work of this.#going.values()) work.letGo();
    return ids;
  }

  /** Resolves when the work has ended, or after so many milliseconds. */
  async endOrPause(work: EffectWork, milliseconds: number): Promise<void> {
    const pause = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(milliseconds, pause.resolve);
    await Promise.race([work.ended, pause.promise]);
    cancel();
  }

  /** Calls `expired` at the deadline of an errand's row, unless it is cancelled before. */
  atDeadline(effect: EffectRow, expired: () => void): Cancel {
    return effect.deadlineAt === null ? () => {} : this.#options.clock.after(this.remaining(effect), expired);
  }

  /** Milliseconds until the deadline of a row; infinite of an effect that has none. */
  remaining({ deadlineAt }: EffectRow): number {
    return deadlineAt === null ? Number.POSITIVE_INFINITY : Math.max(0, deadlineAt - this.#options.clock.now());
  }

  isLate(effect: EffectRow): boolean {
    return this.remaining(effect) === 0;
  }

  /** Milliseconds that an attempt may take. */
  timeoutOf(effect: EffectRow, { timeoutMs }: WorkEffect): number {
    return Math.min(timeoutMs, this.remaining(effect));
  }

  /** Why an errand that was claimed cannot run here; undefined: it can. */
  obstacle(effect: EffectRow, handler: WorkEffect): ToldProblem | undefined {
    if (this.isLate(effect)) return lateProblem(handler);
    const needs = handler.mode === "errand" && handler.secrets;
    return needs && !this.#options.secrets.of(effect.kind, effect.actorId) ? new SecretLost().problem : undefined;
  }

  /** Runs the handler of an effect, an errand's with what errands are given. */
  run({ input }: EffectRow, handler: WorkEffect, run: EffectRun, place: Place): Promise<unknown> {
    if (handler.mode === "queued") return handler.run(input, run);
    const secrets = handler.secrets && this.#options.secrets.of(run.kind, run.actorId);
    return runErrand(handler, input, run, { log: this.#options.log, secrets, place });
  }

  /** Says in the log that an attempt begins, or what it met. */
  tell({ kind, actorId }: EffectRow, handler: WorkEffect, attempt: number, met?: ToldProblem): void {
    if (handler.mode !== "errand") return;
    const { log } = this.#options;
    if (!met) log.add(kind, actorId, { level: "info", code: "attempt_began", values: [attempt], text: "" });
    else {
      const { code, values } = met.cause;
      const told = code === "attempt_failed" ? [attempt, ...values] : values;
      log.add(kind, actorId, { level: code === "attempt_failed" ? "warning" : "error", code, values: told, text: "" });
    }
  }

  /** Resolves when the lines of an errand so far are on disk. */
  async written({ kind, actorId }: EffectRow, handler: WorkEffect): Promise<void> {
    if (handler.mode === "errand") await this.#options.log.flush(kind, actorId);
  }
}

export function lateProblem(handler: WorkEffect): ToldProblem {
  const milliseconds = handler.mode === "errand" ? handler.deadlineMs : handler.timeoutMs;
  return problem(`it was not done within ${milliseconds} ms`, "errand_late", milliseconds);
}
