// What a renewal would do to an account, said before it is done. Pure; the panel's `renewUser` is what does it.
import type { StandingKind, User } from "./user.ts";

type Renewable = Pick<User, "duration" | "activatedAt" | "expiry" | "term" | "volume">;

/**
 * `until`: the end moves to `at`. `term`: it has not started, and its term becomes so many seconds. `counters`: it has
 * no end, and its counters go to zero. `dateless`: it has an end and no term to move it by, or neither an end nor a
 * volume, so a date must be chosen.
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

/** The same by a plan: `endless` where the plan has no end. */
export type PlanRenewal = Extract<Renewal, { readonly kind: "until" | "term" }> | { readonly kind: "endless" };

export function renewalByPlan(
  { duration, activatedAt, expiry }: Renewable,
  { days }: { readonly days: number },
  now: number,
): PlanRenewal {
  const term = days * 86_400;
  if (term === 0) return { kind: "endless" };
  if (duration > 0 && activatedAt === 0) return { kind: "term", seconds: duration + term };
  return { kind: "until", at: Math.max(now, expiry) + term, term };
}

/** What renewing many would do, each by its own. */
export interface Renewals {
  /** Of those that move to another end. */
  readonly ends: readonly number[];
  readonly terms: number;
  readonly counters: number;
  readonly dateless: number;
}

export function renewalsOf(users: readonly Renewable[], now: number): Renewals {
  const each = users.map((user) => renewalOf(user, now));
  const counted = (kind: Renewal["kind"]): number => each.filter((renewal) => renewal.kind === kind).length;
  const ends = each.flatMap((renewal) => (renewal.kind === "until" ? [renewal.at] : []));
  return { ends, terms: counted("term"), counters: counted("counters"), dateless: counted("dateless") };
}

/**
 * Whether a chosen date may replace the automatic date of a renewal: not before the first use, and not for users
 * without an expiry.
 */
export function takesDate({ kind }: Renewal): boolean {
  return kind === "until" || kind === "dateless";
}

/** The end that an account has; undefined before its first use, and without one. */
export function endOf({
  expiry,
  duration,
  activatedAt,
}: Pick<User, "expiry" | "duration" | "activatedAt">): number | undefined {
  return expiry > 0 && !(duration > 0 && activatedAt === 0) ? expiry : undefined;
}

/** A reseller's allowance is not mended by its accounts' renewals. */
export function mayBeRenewed(kind: StandingKind): boolean {
  return kind !== "resaleVolume" && kind !== "resaleExpiry";
}
