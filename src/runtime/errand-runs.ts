// The errands that run in this process: what each is run with, and those whose work has not ended.
//
// Invariants:
// - Work of an errand that ignores its abort may lose its place at the hard bound (`effect-work.ts`), but no other run
//   of that errand begins before its real end: neither here, nor in another process, where the lease of its row says
//   so. A run that waits for it fails at its own deadline.
// - A place that was lent is taken again before the errand goes on. So of one kind no more are at work than may be;
//   any number may wait.
import type PQueue from "p-queue";
import type { Clock } from "../lib/clock.ts";
import type { EffectRow } from "./actor.entity.ts";
import type { EffectRun, ErrandRun, WorkEffect } from "./definition.ts";
import type { EffectWork } from "./effect-work.ts";
import { linesOf, OUTPUT, type ErrandLog } from "./errand-log.ts";
import { SecretLost, type ErrandSecrets } from "./errand-secrets.ts";
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
      // Of what this process lets go when it stops, nobody knows whether it has ended.
      if (!work.goesOn && (wasCut || aborted.aborted)) await over(effect);
    };
    end().catch((error: unknown) => onError(error, `errand ${effect.id}`));
  }

  /** Resolves when the work has ended, or at the deadline of the row. */
  async endOrDeadline(work: EffectWork, { deadlineAt }: EffectRow): Promise<void> {
    const { clock } = this.#options;
    if (deadlineAt === null) return work.ended;
    const deadline = Promise.withResolvers<void>();
    const cancel = clock.after(deadlineAt - clock.now(), deadline.resolve);
    await Promise.race([work.ended, deadline.promise]);
    cancel();
  }

  isLate({ deadlineAt }: EffectRow): boolean {
    return deadlineAt !== null && deadlineAt <= this.#options.clock.now();
  }

  /** Milliseconds that an attempt may take. */
  timeoutOf({ deadlineAt }: EffectRow, { timeoutMs }: WorkEffect): number {
    return deadlineAt === null ? timeoutMs : Math.max(0, Math.min(timeoutMs, deadlineAt - this.#options.clock.now()));
  }

  /** Why an errand that was claimed cannot run here; undefined: it can. */
  obstacle(effect: EffectRow, handler: WorkEffect): ToldProblem | undefined {
    if (this.isLate(effect)) return lateProblem(handler);
    const needs = handler.mode === "errand" && handler.secrets;
    return needs && !this.#options.secrets.of(effect.kind, effect.actorId) ? new SecretLost().problem : undefined;
  }

  /** What a run is given. */
  runWith(run: EffectRun, handler: WorkEffect, queue: PQueue): ErrandRun {
    const { log, secrets } = this.#options;
    const { kind, actorId, signal } = run;
    const own = handler.mode === "errand" && handler.secrets ? secrets.of(kind, actorId) : undefined;
    const shown = (text: string) => own?.redact(text) ?? text;
    return {
      ...run,
      secrets: own,
      lend: (wait) => lend(queue, signal, wait),
      log: (level, code, ...values) => {
        const told = values.map((value) => (typeof value === "string" ? shown(value) : value));
        log.add(kind, actorId, { level, code, values: told, text: "" });
      },
      print: (text) => {
        for (const line of linesOf(text))
          log.add(kind, actorId, { level: "info", code: OUTPUT, values: [], text: shown(line) });
      },
    };
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

/** Gives a place of the queue to others while `wait` waits; it is taken again before others of the queue begin. */
async function lend<T>(queue: PQueue, signal: AbortSignal, wait: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  queue.concurrency++;
  // An aborted errand does not wait for a place: it only has to end. The queue takes its own back when it is free.
  const back = () => queue.add(async () => void queue.concurrency--, { priority: 1 });
  try {
    return await wait();
  } finally {
    const taken = back();
    if (!signal.aborted) await Promise.race([taken, aborted(signal)]);
    signal.throwIfAborted();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
