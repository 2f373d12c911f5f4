// Keeps the driver's state file true, on a disk that may be full or read-only for a while.
import type { DriverContext } from "../../contract/driver.ts";
import { statePath } from "./adoption.ts";
import type { DriverState } from "../state/driver-state.ts";
import { discard, removeState, writeState } from "../state/state-file.ts";
import type { UserJournal } from "../state/user-journal.ts";

const AGAIN_MS = 5000;

export class StateKeeper {
  readonly #context: DriverContext;
  readonly #again: () => void;
  #behind = false;
  #timer: NodeJS.Timeout | undefined;

  /** `again`: asked from time to time, while the disk refuses, to call `write` with what holds then. */
  constructor(context: DriverContext, again: () => void) {
    this.#context = context;
    this.#again = again;
  }

  /** What is on disk is not what runs. */
  get behind(): boolean {
    return this.#behind;
  }

  /**
   * Never throws: the engines serve on, and what cannot be written is tried again. Until then no next agent may believe
   * an older file.
   */
  write(state: DriverState, journals: readonly UserJournal[]): void {
    clearTimeout(this.#timer);
    try {
      for (const journal of journals) {
        journal.mend();
        if (journal.problem !== undefined)
          throw new Error("a journal of users could not be written", { cause: journal.problem });
      }
      writeState(statePath(this.#context.directory), state);
      this.#behind = false;
    } catch (error) {
      if (!this.#behind)
        this.#context.log("warn", "the disk refuses the engine's state; it is tried again", { error: String(error) });
      this.#behind = true;
      this.#disown();
      this.#timer = setTimeout(this.#again, AGAIN_MS);
      this.#timer.unref();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  remove(): void {
    this.stop();
    discard(statePath(this.#context.directory));
  }

  #disown(): void {
    try {
      removeState(statePath(this.#context.directory));
    } catch (error) {
      this.#context.log("debug", "an outdated state file could not be removed", { error: String(error) });
    }
  }
}
