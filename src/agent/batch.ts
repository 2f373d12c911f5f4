// A batch of usage while it can still grow: rows by user and inbound.
import type { UsageBatch } from "../protocol/messages.ts";
import { engineUserName } from "../protocol/plan.ts";
import type { UsageRow } from "../protocol/usage-rows.ts";

/** Rows of a batch: far fewer than one message may carry, so that counting one is short work for the panel. */
export const MAX_BATCH_ROWS = 20_000;

/**
 * A batch is of one quarter of an hour: a row says when its user was active last, and of a node that was away for long
 * the panel must know how much was of which hour. Hours of all zones begin at quarters.
 */
const QUARTER = 900;
/** The quarter that a moment (Unix seconds) is in. */
export const quarterOf = (at: number): number => Math.floor(at / QUARTER);

/** Bytes of one user on one inbound since the last reading. `at`: Unix second of the last traffic. */
export interface Delta {
  readonly userId: number;
  readonly inboundId: number;
  readonly up: number;
  readonly down: number;
  readonly at: number;
}

export class Batch {
  readonly seq: number;
  #from: number;
  #to: number;
  #up = 0;
  #down = 0;
  readonly #rows = new Map<string, UsageRow>();

  /** `from`, `to`: Unix seconds of the readings it covers. */
  constructor(seq: number, from: number, to: number) {
    this.seq = seq;
    this.#from = from;
    this.#to = to;
  }

  get rows(): number {
    return this.#rows.size;
  }

  add(delta: Delta): void {
    const name = engineUserName(delta.userId, delta.inboundId);
    const row = this.#rows.get(name);
    if (row === undefined) this.#rows.set(name, [delta.userId, delta.inboundId, delta.up, delta.down, delta.at]);
    else {
      row[2] += delta.up;
      row[3] += delta.down;
      row[4] = Math.max(row[4], delta.at);
    }
    this.#up += delta.up;
    this.#down += delta.down;
  }

  /** Whether it takes rows of a reading at `at` (Unix seconds): a full one does not, nor one of another quarter. */
  takes(rows: number, at: number): boolean {
    return this.#rows.size + rows <= MAX_BATCH_ROWS && quarterOf(this.#to) === quarterOf(at);
  }

  /** Widens the time it covers. */
  cover(from: number, to: number): void {
    this.#from = Math.min(this.#from, from);
    this.#to = Math.max(this.#to, to);
  }

  /** As it travels. */
  message(bootId: string): UsageBatch {
    return {
      bootId,
      seq: this.seq,
      from: this.#from,
      to: this.#to,
      rows: [...this.#rows.values()],
      up: this.#up,
      down: this.#down,
    };
  }
}
