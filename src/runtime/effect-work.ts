// One run of an effect's handler, watched until it has really ended. A handler is told by its signal to stop (its time
// is up, its chart left the state, this process ends). One that ignores this goes on, and is counted as long as it
// does.
//
// Invariants:
// - `result` settles when the handler does or when the signal is aborted, whichever comes first.
// - `over` resolves when the handler has really ended, or at the hard bound. Until then the run keeps its place among
//   those of its kind, and its lease.
// - `ended` resolves when the handler has really ended, however late, or the process lets go of it. Until then no other
//   run of the same errand begins.
// - That it overruns is told once, and so is its end.
import type { Cancel, Clock } from "../lib/clock.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import type { EffectRow } from "./actor.entity.ts";
import { EffectFailure, problem } from "./problems.ts";

/** A handler that hears its signal ends well within this time. */
const ENDS_WITHIN_MS = 1000;
/**
 * Hard bound: from its abort on, a run is waited for as long again as it was allowed to take, and a minute at least. A
 * run that goes on after that waits for something that never comes. If it were waited for without end, its kind would
 * lose a place, and with the last place all effects of the kind would stand still.
 */
const LEAST_BOUND_MS = 60_000;

/** What watches runs. */
export interface WorkWatch {
  readonly clock: Clock;
  readonly overruns: Signal<SignalTable["effect.overruns"]>;
  readonly overrun: Signal<SignalTable["effect.overrun"]>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

export function workWatch(clock: Clock, signals: Signals): WorkWatch {
  return {
    clock,
    overruns: signals.of("effect.overruns"),
    overrun: signals.of("effect.overrun"),
    now: () => signals.now(),
  };
}

/** Bounds of one run. */
export interface WorkBounds {
  readonly attempt: number;
  readonly timeoutMs: number;
  /** Aborted from outside. */
  readonly aborted: AbortSignal;
}

/** A handler that runs. */
export class EffectWork {
  /** What the handler gave. Rejects with what it threw, or with the reason of its abort. */
  readonly result: Promise<unknown>;
  /** See the invariants. Never rejects. */
  readonly over: Promise<void>;
  /** See the invariants. Never rejects. */
  readonly ended: Promise<void>;
  readonly #watch: WorkWatch;
  readonly #about: { readonly kind: string; readonly actorId: number; readonly src: string; readonly attempt: number };
  readonly #begun: number;
  readonly #boundMs: number;
  #resolveOver: () => void = () => {};
  #resolveEnded: () => void = () => {};
  #isOver = false;
  #goesOn = true;
  #said = false;
  #cancel: Cancel = () => {};

  constructor(
    { kind, actorId, src }: EffectRow,
    run: (signal: AbortSignal) => Promise<unknown>,
    { attempt, timeoutMs, aborted }: WorkBounds,
    watch: WorkWatch,
  ) {
    this.#watch = watch;
    this.#about = { kind, actorId, src, attempt };
    this.#begun = watch.now();
    this.#boundMs = Math.max(LEAST_BOUND_MS, timeoutMs);
    const timeout = new AbortController();
    const signal = AbortSignal.any([aborted, timeout.signal]);
    const cancelTimeout = watch.clock.after(timeoutMs, () => timeout.abort(noResult(timeoutMs)));
    const cut = new Promise<never>((_, reject) =>
      signal.addEventListener(
        "abort",
        () => {
          this.#aborted();
          reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
        },
        { once: true },
      ),
    );
    const work = (async () => run(signal))();
    this.over = new Promise((resolve) => (this.#resolveOver = resolve));
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.result = Promise.race([work, cut]).finally(cancelTimeout);
    const ended = () => {
      this.#settle(true);
      this.#goesOn = false;
      this.#resolveEnded();
    };
    void work.then(ended, ended);
  }

  /** It goes on although it was told to stop, and that was told. */
  get overruns(): boolean {
    return this.#said && !this.#isOver;
  }

  /** The handler has not ended. */
  get goesOn(): boolean {
    return this.#goesOn;
  }

  /** Waits for it no longer: this process ends. */
  letGo(): void {
    this.#free();
    this.#resolveEnded();
  }

  #free(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancel();
    this.#resolveOver();
  }

  #aborted(): void {
    if (this.#isOver) return;
    const { clock } = this.#watch;
    this.#cancel = clock.after(ENDS_WITHIN_MS, () => {
      this.#said = true;
      this.#watch.overruns.tell({ ...this.#about, ageMs: this.#ageMs });
      this.#cancel = clock.after(this.#boundMs - ENDS_WITHIN_MS, () => this.#settle(false));
    });
  }

  #settle(ended: boolean): void {
    if (this.#isOver) return;
    this.#free();
    if (this.#said) this.#watch.overrun.tell({ ...this.#about, ageMs: this.#ageMs, ended });
  }

  get #ageMs(): number {
    return Math.round(this.#watch.now() - this.#begun);
  }
}

function noResult(milliseconds: number): EffectFailure {
  return new EffectFailure(problem(`no result within ${milliseconds} ms`, "no_result", milliseconds));
}
