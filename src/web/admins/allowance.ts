// What ended a reseller's allowance, as its record tells it.

interface Limits {
  readonly volume: number;
  readonly used: number;
  readonly expiry: number;
}

/** The limit for which nobody serves its users; undefined while there is none. The date comes before the allowance. */
export function closedBy({ volume, used, expiry }: Limits, now: number): "volume" | "expiry" | undefined {
  if (expiry > 0 && expiry <= now) return "expiry";
  return volume > 0 && used >= volume ? "volume" : undefined;
}
