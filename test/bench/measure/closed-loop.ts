// A closed loop: so many callers, each asking again when it is answered. The one generator of load of all benches, so
// that contestants are asked alike.
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "./table.ts";

export interface Measured {
  /** Answers in all, those after the time was up included: what must be found on disk afterwards. */
  readonly answered: number;
  /** Answers per second. */
  readonly rate: number;
  /** Milliseconds from asking to the answer. */
  readonly p50: number;
  readonly p99: number;
}

export interface Paced extends Measured {
  readonly p95: number;
}

/**
 * Asks at moments that are fixed before, `perSecond` of them, each by the caller whose turn it is. An answer's time
 * counts from its moment: a server that stands still makes all of them late.
 */
export async function pacedLoop(
  callers: number,
  perSecond: number,
  ms: number,
  once: (caller: number) => Promise<unknown>,
): Promise<Paced> {
  const latencies: number[] = [];
  const began = performance.now();
  const caller = async (index: number) => {
    for (let turn = index; ; turn += callers) {
      const moment = (turn * 1000) / perSecond;
      if (moment >= ms) return;
      const early = began + moment - performance.now();
      if (early > 0) await sleep(early);
      // A timer may be early by a fraction of a millisecond.
      const asked = Math.min(performance.now(), began + moment);
      await once(index);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
  return measured(latencies, performance.now() - began);
}

/** Asks for `ms` milliseconds and resolves when the last answer is there. Rejects when one is refused. */
export async function closedLoop(
  inFlight: number,
  ms: number,
  once: (caller: number) => Promise<unknown>,
): Promise<Paced> {
  const latencies: number[] = [];
  const began = performance.now();
  const caller = async (index: number) => {
    for (let asked = performance.now(); asked - began < ms;) {
      await once(index);
      const answered = performance.now();
      latencies.push(answered - asked);
      asked = answered;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => caller(index)));
  return measured(latencies, performance.now() - began);
}

/** What latencies (milliseconds) of a time (milliseconds) amount to. */
export function measured(latencies: readonly number[], ms: number): Paced {
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    answered: sorted.length,
    rate: (sorted.length * 1000) / ms,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
  };
}

/** A whole number from 1 to `most`. */
export const anyOf = (most: number): number => 1 + Math.floor(Math.random() * most);
