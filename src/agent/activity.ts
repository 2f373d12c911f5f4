// What the last readings say about now: who is online, how fast it goes. Memory only; the ledger counts.
import type { LiveFigures } from "../protocol/messages.ts";
import type { Delta } from "./batch.ts";
import type { CounterReading } from "./engines/contract/driver.ts";

/** A user with traffic in this many seconds is online. */
const ONLINE_SECONDS = 90;

export class Activity {
  readonly #lastTraffic = new Map<number, number>();
  #readAtMs: number | undefined;
  #figures: Pick<LiveFigures, "connections" | "upRate" | "downRate" | "rejected"> = {};

  /** Takes in what a reading at `nowMs` (milliseconds) brought. */
  note(deltas: readonly Delta[], reading: CounterReading, nowMs: number): void {
    let up = 0;
    let down = 0;
    for (const delta of deltas) {
      up += delta.up;
      down += delta.down;
      this.#lastTraffic.set(delta.userId, delta.at);
    }
    const seconds = this.#readAtMs === undefined ? 0 : (nowMs - this.#readAtMs) / 1000;
    this.#readAtMs = nowMs;
    this.#figures = {
      ...(reading.connections === undefined ? {} : { connections: reading.connections }),
      ...(seconds > 0 ? { upRate: Math.round(up / seconds), downRate: Math.round(down / seconds) } : {}),
      rejected: Object.fromEntries(reading.rejected),
    };
  }

  /** Users with traffic in the last 90 s. `now` in Unix seconds. */
  online(now: number): number {
    for (const [userId, at] of this.#lastTraffic) if (at < now - ONLINE_SECONDS) this.#lastTraffic.delete(userId);
    return this.#lastTraffic.size;
  }

  figures(): Pick<LiveFigures, "connections" | "upRate" | "downRate" | "rejected"> {
    return this.#figures;
  }
}
