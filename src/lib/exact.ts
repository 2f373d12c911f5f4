// Counters stay numbers that are exact: what would pass the largest of them stops there.

/** The largest whole number that is exact. */
export const MOST = Number.MAX_SAFE_INTEGER;

/** The sum, at most `MOST`. */
export function added(a: number, b: number): number {
  return Math.min(MOST, a + b);
}
