// What the syncing of one agent does now, as one value, and which changes of it there are.
import type { Cancel, Clock } from "../../lib/clock.ts";

type Mode =
  /** The agent's digests equal the desired ones as far as is known, or the loop is about to start. */
  | { readonly is: "idle" }
  /** The loop runs. */
  | { readonly is: "syncing" }
  /**
   * Asked to push nothing for a while; `cancel` ends the wait for that. `busy`: the loop ends after the push that is
   * under way. `refused`: as below.
   */
  | { readonly is: "resting"; readonly cancel: Cancel; readonly busy: boolean; readonly refused: boolean }
  /** The agent's engine refuses what is wanted. The node's chart says when it is asked again. */
  | { readonly is: "refused" }
  /** The database is away; `cancel` ends the wait for the next try. */
  | { readonly is: "away"; readonly cancel: Cancel }
  /** The link is given up; the last mode. */
  | { readonly is: "stopped" };

export class SyncMode {
  readonly #clock: Clock;
  #mode: Mode = { is: "idle" };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nothing is under way and nothing keeps the loop from beginning. */
  get idle(): boolean {
    return this.#mode.is === "idle";
  }

  /** The loop goes on: nobody asked it to rest or to stop. */
  get pushes(): boolean {
    return this.#mode.is === "syncing";
  }

  get stopped(): boolean {
    return this.#mode.is === "stopped";
  }

  /** The loop runs, if only until the push that is under way has ended. */
  get running(): boolean {
    return this.#mode.is === "syncing" || (this.#mode.is === "resting" && this.#mode.busy);
  }

  /** The agent's engine refused, and nobody said since that it is to be asked again. */
  get refused(): boolean {
    return this.#mode.is === "refused" || (this.#mode.is === "resting" && this.#mode.refused);
  }

  /** The loop begins; false where it runs already or may not. */
  begin(): boolean {
    if (this.#mode.is !== "idle" && this.#mode.is !== "away") return false;
    this.#change({ is: "syncing" });
    return true;
  }

  /** An engine that refused is to be asked again. */
  ask(): void {
    if (this.#mode.is === "refused") this.#change({ is: "idle" });
    else if (this.#mode.is === "resting") this.#mode = { ...this.#mode, refused: false };
  }

  /** Nothing is pushed for so many milliseconds; then `wake` is called. */
  rest(ms: number, wake: () => void): void {
    if (this.#mode.is === "stopped") return;
    const { running: busy, refused } = this;
    const cancel = this.#clock.after(ms, () => {
      this.#mode = { is: this.running ? "syncing" : "idle" };
      wake();
    });
    this.#change({ is: "resting", cancel, busy, refused });
  }

  /** The loop ended. A rest and a stop that came meanwhile stay. */
  end(refused: boolean): void {
    if (this.#mode.is === "resting") this.#mode = { ...this.#mode, busy: false, refused };
    else if (this.#mode.is === "syncing") this.#change({ is: refused ? "refused" : "idle" });
  }

  /** The database is away, so the loop ended. `again` is called after so many milliseconds, unless it began before. */
  endAway(ms: number, again: () => void): void {
    this.end(false);
    if (this.#mode.is === "idle") this.#change({ is: "away", cancel: this.#clock.after(ms, again) });
  }

  stop(): void {
    this.#change({ is: "stopped" });
  }

  #change(next: Mode): void {
    if ("cancel" in this.#mode) this.#mode.cancel();
    this.#mode = next;
  }
}
