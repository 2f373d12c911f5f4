// Runs queued effects: at least once, each under a lease and its own limits. The table is the truth; memory holds what this process is running.
//
// A row is `pending` until a process claims it (one commit), then `running` until its result is committed together with the transition that it causes. A process that dies leaves
// `running` rows whose lease runs out (at once where this is the only process); they are claimed again with the next attempt. A row that is gone or carries another `run` has been
// overtaken by its chart: the work is aborted and its result is dropped.
import PQueue from "p-queue";
import { lock, sql, type Committer, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { EffectRows, type EffectRow } from "./actor.entity.ts";
import { EffectRefused, type QueuedEffect } from "./definition.ts";

export const LEASE_MS = 30_000;
const POLL_MS = 1000;
const POLL_ROWS = 500;

export type EffectOutcome = { readonly ok: true; readonly output: unknown } | { readonly ok: false; readonly error: string };

export interface EffectOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Boot id of this process: the owner of its leases. */
  readonly bootId: string;
  /** True when no other process can own a lease: rows of other owners are free at once. */
  readonly alone: boolean;
  readonly random: () => number;
  readonly handlerOf: (kind: string, src: string) => QueuedEffect | undefined;
  /** Commits the end of an effect with the transition that it causes. Must be a no-op when the row is gone or its `run` differs. */
  readonly settle: (effect: EffectRow, outcome: EffectOutcome) => Promise<void>;
  readonly onError: (error: unknown, effect: EffectRow) => void;
}

interface Running {
  readonly run: string;
  readonly abort: AbortController;
}

export class Effects {
  readonly #options: EffectOptions;
  readonly #queues = new Map<string, PQueue>();
  /** Queued or running here, by effect id. */
  readonly #mine = new Map<string, Running>();
  #cancelPoll: Cancel | undefined;
  #cancelLeases: Cancel | undefined;
  #stopped = true;

  constructor(options: EffectOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    void this.#poll();
    this.#renewLater();
  }

  /** Starts nothing more, aborts what runs and waits for it at most `graceMs`. What did not settle runs again after the next start. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#cancelPoll?.();
    this.#cancelLeases?.();
    for (const queue of this.#queues.values()) queue.clear();
    for (const running of this.#mine.values()) running.abort.abort(new Error("the panel is shutting down"));
    const all = Promise.all([...this.#queues.values()].map((queue) => queue.onIdle()));
    let cancel: Cancel = () => {};
    await Promise.race([all, new Promise<void>((resolve) => (cancel = this.#options.clock.after(graceMs, resolve)))]);
    cancel();
    await this.#release();
  }

  /** Gives back the leases of what did not settle, so that the next process need not wait for them to run out. */
  async #release(): Promise<void> {
    const ids = [...this.#mine.keys()];
    if (ids.length === 0) return;
    const { commits, clock, bootId } = this.#options;
    await commits.submit({
      name: "effect.release",
      locks: ids.map((id) => lock(EffectRows, id)),
      decide: (draft) => {
        for (const row of draft.findAll(EffectRows, ids)) {
          if (row.state === "running" && row.owner === bootId) draft.update(EffectRows, row.id, { state: "pending", nextAt: clock.now() });
        }
      },
    });
  }

  /** A commit asked for this effect. */
  started(effect: EffectRow): void {
    const earlier = this.#mine.get(effect.id);
    if (earlier && earlier.run !== effect.run) earlier.abort.abort(new Error("the chart began it anew"));
    if (!this.#stopped) this.#enqueue(effect);
  }

  /** A commit ended this effect. */
  ended(id: string): void {
    this.#mine.get(id)?.abort.abort(new Error("the chart left the state"));
  }

  #enqueue(effect: EffectRow): void {
    if (this.#mine.get(effect.id)?.run === effect.run) return;
    const handler = this.#options.handlerOf(effect.kind, effect.src);
    if (!handler) {
      this.#options.onError(new Error(`no effect handles ${effect.kind} ${effect.src}`), effect);
      return;
    }
    const running: Running = { run: effect.run, abort: new AbortController() };
    this.#mine.set(effect.id, running);
    const queue = this.#queueOf(effect, handler);
    queue
      .add(() => this.#carryOut(effect, handler, running))
      .catch((error: unknown) => this.#options.onError(error, effect))
      .finally(() => {
        if (this.#mine.get(effect.id) === running) this.#mine.delete(effect.id);
      });
  }

  #queueOf(effect: EffectRow, handler: QueuedEffect): PQueue {
    const name = `${effect.kind}:${effect.src}`;
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = new PQueue({ concurrency: handler.concurrency });
      this.#queues.set(name, queue);
    }
    return queue;
  }

  async #carryOut(effect: EffectRow, handler: QueuedEffect, running: Running): Promise<void> {
    if (this.#stopped || running.abort.signal.aborted) return;
    const attempt = await this.#claim(effect);
    if (attempt === undefined) return;
    let outcome: EffectOutcome;
    try {
      outcome = { ok: true, output: await this.#attempt(effect, handler, attempt, running) };
    } catch (error) {
      if (running.abort.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      if (!(error instanceof EffectRefused) && attempt < handler.attempts) {
        await this.#tryLater(effect, handler, attempt, message);
        return;
      }
      outcome = { ok: false, error: message };
    }
    if (!running.abort.signal.aborted) await this.#options.settle(effect, outcome);
  }

  async #attempt(effect: EffectRow, handler: QueuedEffect, attempt: number, running: Running): Promise<unknown> {
    const timeout = new AbortController();
    const signal = AbortSignal.any([running.abort.signal, timeout.signal]);
    let cancel: Cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#options.clock.after(handler.timeoutMs, () => {
        const error = new Error(`no result within ${handler.timeoutMs} ms`);
        timeout.abort(error);
        reject(error);
      });
      running.abort.signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    });
    try {
      const work = handler.run(effect.input, { kind: effect.kind, actorId: effect.actorId, idempotencyKey: effect.run, attempt, signal });
      return await Promise.race([work, late]);
    } finally {
      cancel();
    }
  }

  /** Takes the lease and counts the attempt. Undefined when the effect is no longer wanted or another process has it. */
  #claim(effect: EffectRow): Promise<number | undefined> {
    const { commits, clock, bootId } = this.#options;
    return commits.submit({
      name: "effect.claim",
      locks: [lock(EffectRows, effect.id)],
      decide: (draft) => {
        const row = draft.find(EffectRows, effect.id);
        if (!row || row.run !== effect.run || !this.#free(row)) return undefined;
        const attempt = row.attempt + 1;
        draft.update(EffectRows, effect.id, {
          state: "running",
          attempt,
          owner: bootId,
          nextAt: clock.now() + LEASE_MS,
          startedAt: row.startedAt ?? clock.now(),
        });
        return attempt;
      },
    });
  }

  #free(row: EffectRow): boolean {
    const { clock, alone, bootId } = this.#options;
    if (row.state === "pending") return row.nextAt <= clock.now();
    return row.nextAt <= clock.now() || (alone && row.owner !== bootId);
  }

  #tryLater(effect: EffectRow, handler: QueuedEffect, attempt: number, message: string): Promise<void> {
    const { commits, clock, random } = this.#options;
    const ceiling = Math.min(handler.backoffMaxMs, handler.backoffMs * 2 ** (attempt - 1));
    return commits.submit({
      name: "effect.retry",
      locks: [lock(EffectRows, effect.id)],
      decide: (draft) => {
        const row = draft.find(EffectRows, effect.id);
        if (row?.run !== effect.run) return;
        draft.update(EffectRows, effect.id, {
          state: "pending",
          nextAt: clock.now() + Math.ceil(ceiling * random()),
          lastError: message.slice(0, 500),
        });
      },
    });
  }

  async #poll(): Promise<void> {
    if (this.#stopped) return;
    const { reads, clock, alone, bootId } = this.#options;
    try {
      const orphaned = alone ? sql`or (state = 'running' and owner <> ${bootId})` : sql``;
      const rows = await reads.rows(
        EffectRows,
        sql`select * from effects where next_at <= ${clock.now()} ${orphaned} order by next_at limit ${POLL_ROWS}`,
      );
      if (!this.#stopped) for (const row of rows) this.#enqueue(row);
    } catch (error) {
      this.#options.onError(error, NO_EFFECT);
    }
    if (!this.#stopped) this.#cancelPoll = clock.after(POLL_MS, () => void this.#poll());
  }

  #renewLater(): void {
    this.#cancelLeases = this.#options.clock.after(LEASE_MS / 3, () => {
      void this.#renew().finally(() => {
        if (!this.#stopped) this.#renewLater();
      });
    });
  }

  /** Extends the leases of everything that runs here. */
  async #renew(): Promise<void> {
    const { commits, clock, bootId, onError } = this.#options;
    const ids = [...this.#mine.keys()];
    if (ids.length === 0) return;
    try {
      await commits.submit({
        name: "effect.renew",
        locks: ids.map((id) => lock(EffectRows, id)),
        decide: (draft) => {
          for (const row of draft.findAll(EffectRows, ids)) {
            if (row.state === "running" && row.owner === bootId) draft.update(EffectRows, row.id, { nextAt: clock.now() + LEASE_MS });
          }
        },
      });
    } catch (error) {
      onError(error, NO_EFFECT);
    }
  }
}

const NO_EFFECT: EffectRow = {
  id: "",
  run: "",
  kind: "",
  actorId: 0,
  invokeId: "",
  src: "",
  input: null,
  state: "",
  attempt: 0,
  nextAt: 0,
  owner: "",
  startedAt: null,
  lastError: "",
};
