// What a renewal would do to an account, said before it is done. Pure; the panel's `renewUser` is what does it.
import type { StandingKind, User } from "./user.ts";

type Renewable = Pick<User, "duration" | "activatedAt" | "expiry" | "term" | "volume">;

/**
 * `until`: the end moves to `at`. `term`: it has not started, and its term becomes so many seconds. `counters`: it has no end, and its counters go to zero.
 * `dateless`: it has an end and no term to move it by, or neither an end nor a volume, so a date must be chosen.
 */
export type Renewal =
  | { readonly kind: "until"; readonly at: number; readonly term: number }
  | { readonly kind: "term"; readonly seconds: number }
  | { readonly kind: "counters" }
  | { readonly kind: "dateless" };

export function renewalOf({ duration, activatedAt, expiry, term, volume }: Renewable, now: number): Renewal {
  if (duration > 0 && activatedAt === 0) return { kind: "term", seconds: duration + term };
  if (duration === 0 && expiry === 0) return { kind: volume > 0 ? "counters" : "dateless" };
  return term > 0 ? { kind: "until", at: Math.max(now, expiry) + term, term } : { kind: "dateless" };
}

/** A reseller's allowance is not mended by its accounts' renewals. */
export function mayBeRenewed(kind: StandingKind): boolean {
  return kind !== "resaleVolume" && kind !== "resaleExpiry";
}
