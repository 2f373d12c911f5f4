// What a renewal would do to an account, said before it is done. Pure; the panel's `renewUser` is what does it.
import type { StandingKind, User } from "./user.ts";

const DAY = 86_400;

type Renewable = Pick<User, "duration" | "activatedAt" | "expiry" | "term" | "volume">;

/** By what a renewal goes: the term that the account was sold with, days, a plan, or to a date. */
export type Choice =
  | { readonly by: "own" }
  | { readonly by: "days"; readonly days: number }
  | { readonly by: "plan"; readonly plan: { readonly id: number; readonly days: number } }
  | { readonly by: "date"; readonly at: number };

export const OWN: Choice = { by: "own" };

/** The body of the route. */
export function renewalBody(choice: Choice): object {
  switch (choice.by) {
    case "own":
      return {};
    case "days":
      return { days: choice.days };
    case "plan":
      return { planId: choice.plan.id };
    case "date":
      return { expiry: choice.at };
  }
}

/**
 * `until`: the end moves to `at`. `term`: it has not started, and its term becomes so many seconds. `counters`: it has
 * no end, and its counters go to zero. `endless`: by a plan without an end. The others are refused: `termless` has an
 * end and nobody said for how long it was sold, `nothing` has neither an end nor a volume, `unstarted` has no date to
 * choose.
 */
export type Renewal =
  | { readonly kind: "until"; readonly at: number }
  | { readonly kind: "term"; readonly seconds: number }
  | { readonly kind: "counters" | "endless" | "termless" | "nothing" | "unstarted" };

export function renewalOf(user: Renewable, choice: Choice, now: number): Renewal {
  const { duration, expiry, term, volume } = user;
  if (choice.by === "date") return isWaiting(user) ? { kind: "unstarted" } : { kind: "until", at: choice.at };
  if (choice.by === "own" && duration === 0 && expiry === 0) return { kind: volume > 0 ? "counters" : "nothing" };
  const length = choice.by === "own" ? term : (choice.by === "days" ? choice.days : choice.plan.days) * DAY;
  if (length === 0) return { kind: choice.by === "plan" ? "endless" : "termless" };
  if (isWaiting(user)) return { kind: "term", seconds: duration + length };
  return { kind: "until", at: Math.max(now, expiry) + length };
}

const isWaiting = ({ duration, activatedAt }: Pick<User, "duration" | "activatedAt">) =>
  duration > 0 && activatedAt === 0;

/** What renewing many would do, each by its own. */
export interface Renewals {
  /** New ends of the accounts whose end moves, in Unix seconds. */
  readonly ends: readonly number[];
  /** How many of the accounts in `ends` have no end yet. */
  readonly ended: number;
  readonly terms: number;
  readonly counters: number;
  readonly endless: number;
  /** No term of theirs is known: refused. */
  readonly termless: number;
}

export function renewalsOf(users: readonly Renewable[], choice: Choice, now: number): Renewals {
  const each = users.map((user) => ({ user, renewal: renewalAmongMany(user, choice, now) }));
  const counted = (kind: Renewal["kind"]): number => each.filter(({ renewal }) => renewal.kind === kind).length;
  return {
    ends: each.flatMap(({ renewal }) => (renewal.kind === "until" ? [renewal.at] : [])),
    ended: each.filter(({ user, renewal }) => renewal.kind === "until" && !(user.expiry > 0 || user.duration > 0))
      .length,
    terms: counted("term"),
    counters: counted("counters"),
    endless: counted("endless"),
    termless: counted("termless"),
  };
}

/** A date is for those that have begun and have an end, or nothing else to renew; others go by their own. */
export function renewalAmongMany(user: Renewable, choice: Choice, now: number): Renewal {
  const undated = isWaiting(user) || (user.duration === 0 && user.expiry === 0 && user.volume > 0);
  return renewalOf(user, choice.by === "date" && undated ? OWN : choice, now);
}

/** Whether there is a term, or a volume alone, to renew without saying how long. */
export function goesByOwn(user: Renewable, now: number): boolean {
  const { kind } = renewalOf(user, OWN, now);
  return kind !== "termless" && kind !== "nothing";
}

/** The end that an account has; undefined before its first use, and without one. */
export function endOf(user: Pick<User, "expiry" | "duration" | "activatedAt">): number | undefined {
  return user.expiry > 0 && !isWaiting(user) ? user.expiry : undefined;
}

/**
 * When the counters are reset after a renewal, 0 = never: a rolling cycle starts again with it, a calendar one stays.
 * `nextReset` undefined: the cycle is a plan's, and only the panel knows its calendar.
 */
export function nextResetAfter(
  cycle: Pick<User, "autoReset" | "resetPeriod" | "resetDays">,
  nextReset: number | undefined,
  now: number,
): number | undefined {
  if (!cycle.autoReset) return 0;
  if (cycle.resetPeriod !== "") return nextReset;
  return cycle.resetDays > 0 ? now + cycle.resetDays * DAY : 0;
}

/** A reseller's allowance is not mended by its accounts' renewals. */
export function mayBeRenewed(kind: StandingKind): boolean {
  return kind !== "resaleVolume" && kind !== "resaleExpiry";
}
