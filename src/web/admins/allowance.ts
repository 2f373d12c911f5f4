// What a reseller's record says of its allowance: what ended it, and when it begins again.

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

/** The period to show. A period that only a newer panel knows is shown as `none`. */
export function periodOf(period: string): "none" | "weekly" | "monthly" | "yearly" {
  return period === "weekly" || period === "monthly" || period === "yearly" ? period : "none";
}
