// The speed limits of a driver as an nft table of their own. Calls never overlap.
import { nft } from "./nft.ts";
import {
  EMPTY,
  type LimitedSession,
  speedChange,
  speedDeclaration,
  type SpeedState,
  speedState,
  type SpeedTable,
} from "./speed-table.ts";
import { replacement, tableOf } from "./table.ts";

/** Where nothing changes, so often it is looked whether the table is still there. */
const LOOKS_PER_PROOF = 5;

export class NftSpeedTable implements SpeedTable {
  readonly #table: string;
  /** What the table says; undefined when it may be there or not, with anything in it. */
  #state: SpeedState | "no table" | undefined;
  #looks = 0;

  /** `directory`: the table is found again by it. */
  constructor(directory: string) {
    this.#table = tableOf(directory, "_speed");
  }

  async hold(limits: ReadonlyMap<number, number>, sessions: readonly LimitedSession[]): Promise<void> {
    const known = this.#state === "no table" ? undefined : this.#state;
    const after = speedState(limits, sessions, known ?? EMPTY);
    if (known === undefined) return this.#declare(after);
    const change = speedChange(this.#table, known, after);
    // Somebody may have flushed the table: what fails, or is found to be gone, is made again and right whatever was
    // there.
    this.#looks += 1;
    if (change === "" && this.#looks % LOOKS_PER_PROOF !== 0) return;
    await nft(change === "" ? `list chain ${this.#table} leaving\n` : change).catch(() => this.#declare(after));
    this.#state = after;
  }

  async takeAway(): Promise<void> {
    if (this.#state === "no table") return;
    await nft(replacement(this.#table));
    this.#state = "no table";
  }

  async #declare(state: SpeedState): Promise<void> {
    await nft(speedDeclaration(this.#table) + speedChange(this.#table, EMPTY, state));
    this.#state = state;
  }
}
