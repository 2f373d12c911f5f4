// A value that comes as often as somebody likes, and is acted upon at a pace: the first at once, then the latest after
// each pause.
import type { Cancel, Clock } from "../../lib/clock.ts";

export class Paced<T> {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #act: (value: T) => void;
  #latest: { readonly value: T } | undefined;
  #cancel: Cancel | undefined;

  constructor(clock: Clock, ms: number, act: (value: T) => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#act = act;
  }

  /** Something was offered and not acted upon yet. */
  get waiting(): boolean {
    return this.#latest !== undefined;
  }

  offer(value: T): void {
    this.#latest = { value };
    if (!this.#cancel) this.#take();
  }

  /** What waits is forgotten. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#latest = undefined;
  }

  #take(): void {
    const latest = this.#latest;
    this.#latest = undefined;
    if (!latest) {
      this.#cancel = undefined;
      return;
    }
    this.#cancel = this.#clock.after(this.#ms, () => this.#take());
    this.#act(latest.value);
  }
}
