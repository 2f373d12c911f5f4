// How far a node's clock is off, by what its heartbeats say, and when that is worth a notice: the engine judges
// certificates by that clock, and says with it when traffic was moved.
import { roughSpan } from "../../protocol/notices/index.ts";
import type { Notice } from "../records/notice.schema.ts";
import { notice } from "../records/notices.ts";

/** Off by more is said; what was said is taken back below the second. */
const OFF_SECONDS = 60;
const WELL_SECONDS = 45;
/** Heartbeats in a row that say so: one may have waited where a process stood still. */
const TIMES = 2;

export class ClockSkew {
  #said = 0;
  #times = 0;

  /** A heartbeat's time and ours, Unix seconds. Answers whether `notices` changed. */
  heard(theirs: number, ours: number): boolean {
    const off = theirs - ours;
    const differs =
      this.#said === 0
        ? Math.abs(off) > OFF_SECONDS
        : Math.abs(off) < WELL_SECONDS || Math.abs(off - this.#said) > Math.max(OFF_SECONDS, Math.abs(off) / 20);
    this.#times = differs ? this.#times + 1 : 0;
    if (this.#times < TIMES) return false;
    this.#times = 0;
    this.#said = Math.abs(off) < WELL_SECONDS ? 0 : off;
    return true;
  }

  get notices(): readonly Notice[] {
    if (this.#said === 0) return [];
    const seconds = Math.abs(this.#said);
    const ahead = this.#said > 0;
    const detail = `the node's clock is ${roughSpan(seconds, "en")} ${ahead ? "ahead of" : "behind"} the panel's: set it (NTP)`;
    return [notice(ahead ? "clock_ahead" : "clock_behind", [seconds], detail)];
  }
}
