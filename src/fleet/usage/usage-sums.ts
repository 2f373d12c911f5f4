// Sums of agents' batches by user, multiplied exactly.
import { added, MOST } from "../../lib/exact.ts";
import type { ReadUsageBatch } from "../../protocol/messages.ts";
import { CELLS } from "../../protocol/usage-rows.ts";

const MICRO = 1_000_000;

/** A batch with what its bytes count. */
export interface Multiplied {
  /** The node's multiplier in millionths; 0 counts as 1. */
  readonly micros: number;
  readonly batch: Pick<ReadUsageBatch, "bootId" | "seq" | "rows">;
}

/** What is added to a user's counters: bytes, and millionths of a byte that multiplying left over. */
export interface UserSum {
  id: number;
  up: number;
  down: number;
  upRest: number;
  downRest: number;
  /** Unix seconds of the last traffic, and its inbound. */
  at: number;
  inbound: number;
}

/** The users whose rows batches have. */
export function usersOf(batches: readonly Pick<Multiplied, "batch">[]): number[] {
  const ids = new Set<number>();
  for (const {
    batch: { rows },
  } of batches)
    for (let row = 0; row < rows.length; row += CELLS) ids.add(rows[row] ?? 0);
  return [...ids];
}

/**
 * Sums of a transaction's batches by user, multiplied, in id order (every transaction takes row locks in that order).
 */
export function sumByUser(batches: readonly Multiplied[]): UserSum[] {
  const sums = new Map<number, UserSum>();
  for (const { micros: stored, batch } of batches) {
    const micros = stored || MICRO;
    const { rows } = batch;
    for (let row = 0; row < rows.length; row += CELLS) {
      const id = rows[row] ?? 0;
      const at = rows[row + 4] ?? 0;
      let sum = sums.get(id);
      if (!sum) sums.set(id, (sum = { id, up: 0, down: 0, upRest: 0, downRest: 0, at: 0, inbound: 0 }));
      add(sum, "up", "upRest", rows[row + 2] ?? 0, micros);
      add(sum, "down", "downRest", rows[row + 3] ?? 0, micros);
      if (at >= sum.at) {
        sum.at = at;
        sum.inbound = rows[row + 1] ?? 0;
      }
    }
  }
  return [...sums.values()].toSorted((a, b) => a.id - b.id);
}

function add(sum: UserSum, bytes: "up" | "down", rest: "upRest" | "downRest", raw: number, micros: number): void {
  if (micros === MICRO) {
    sum[bytes] = added(sum[bytes], raw);
    return;
  }
  const product = BigInt(raw) * BigInt(micros);
  sum[bytes] = added(sum[bytes], Math.min(MOST, Number(product / BigInt(MICRO))));
  sum[rest] += Number(product % BigInt(MICRO));
}
