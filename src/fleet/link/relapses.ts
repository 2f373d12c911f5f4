// An agent that reports another state than it took before is compared again, with growing pauses.
import type { Cancel, Clock } from "../../lib/clock.ts";
import { notice } from "../records/notices.ts";

const FIRST_MS = 2000;
const MAX_MS = 300_000;
/** Relapses are forgotten when there was none for so long. */
const FORGOTTEN_MS = 2 * MAX_MS;
/** Relapses from which on it is said. */
const SAID_FROM = 3;

export const RELAPSING = notice(
  "relapsing",
  [],
  "the agent goes on reporting another configuration than it took: it is compared again with growing pauses",
);

export class Relapses {
  readonly #clock: Clock;
  readonly #onNoted: (count: number) => void;
  /** In a row, and when the last one is answered. */
  #count = 0;
  #at = 0;
  #cancel: Cancel | undefined;

  /** `onNoted` hears of each, with how many there were in a row. */
  constructor(clock: Clock, onNoted: (count: number) => void) {
    this.#clock = clock;
    this.#onNoted = onNoted;
  }

  /** The agent waits to be compared again. */
  get pausing(): boolean {
    return this.#cancel !== undefined;
  }

  get said(): boolean {
    return this.#count >= SAID_FROM;
  }

  /** One more; `again` is called after the pause. The first time is an engine or a disk that failed: mended at once. */
  note(again: () => void): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#at) > FORGOTTEN_MS) this.#count = 0;
    const pause = this.#count === 0 ? 0 : Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(this.#count - 1, 20));
    this.#count++;
    this.#onNoted(this.#count);
    this.#at = now + pause;
    if (pause === 0) return again();
    this.#cancel = this.#clock.after(pause, () => {
      this.#cancel = undefined;
      again();
    });
  }

  stop(): void {
    this.#cancel?.();
  }
}
