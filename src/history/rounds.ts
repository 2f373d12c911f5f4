// When the history is folded: at the start, then at a steady pace. Old sums are forgotten once an hour.
import type { Cancel, Clock } from "../lib/clock.ts";

/** What was counted waits so long at most before it is sorted; questions read it as it is until then. */
const PACE_MS = 20_000;
const FORGET_MS = 3_600_000;

export interface RoundsDeps {
  readonly clock: Clock;
  /** Whether it is this process's to do. */
  readonly holds: () => boolean;
  readonly fold: (going: () => boolean) => Promise<void>;
  readonly forget: (going: () => boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class Rounds {
  readonly #deps: RoundsDeps;
  #cancel: Cancel = () => {};
  #running: Promise<void> | undefined;
  #forgotAt: number | undefined;
  #stopped = false;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#round()
      .catch((error: unknown) => {
        if (!this.#stopped) this.#deps.onError(error);
      })
      .finally(() => {
        if (!this.#stopped) this.#cancel = this.#deps.clock.after(PACE_MS, () => this.start());
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  async #round(): Promise<void> {
    const { clock, fold, forget, holds } = this.#deps;
    const going = () => !this.#stopped && holds();
    if (!going()) return;
    await fold(going);
    const now = clock.now();
    if (this.#forgotAt !== undefined && Math.abs(now - this.#forgotAt) < FORGET_MS) return;
    await forget(going);
    this.#forgotAt = now;
  }
}
