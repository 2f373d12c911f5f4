// Whether an agent still says anything. Silence is counted in looks, not read off the clock: one that is set forward
// must not end every link, one that is set back must not keep a dead one.
import type { Cancel, Clock } from "../../lib/clock.ts";
import { HEARTBEAT_SECONDS } from "../../protocol/messages.ts";

/** Heartbeats that may be missed. */
const MISSED = 3;
const LOOK_MS = (HEARTBEAT_SECONDS * 1000) / 2;
const SILENT_LOOKS = 2 * MISSED + 1;

export class Silence {
  readonly #clock: Clock;
  readonly #onSilent: (missed: number) => void;
  #looks = 0;
  #cancel: Cancel = () => {};

  /** `onSilent` is called once for each `watch`, when too many heartbeats were missed. */
  constructor(clock: Clock, onSilent: (missed: number) => void) {
    this.#clock = clock;
    this.#onSilent = onSilent;
  }

  heard(): void {
    this.#looks = 0;
  }

  watch(): void {
    this.#cancel();
    this.#looks = 0;
    this.#look();
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    this.#cancel = this.#clock.after(LOOK_MS, () => {
      if (++this.#looks >= SILENT_LOOKS) this.#onSilent(MISSED);
      else this.#look();
    });
  }
}
