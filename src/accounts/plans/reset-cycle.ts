// The periodic reset of a user's counters: which fields fit together, and when the next reset falls (rules
// users.reset).
import { invalid, ruleSaying } from "../../http/index.ts";
import { cycleOfReset, nextBoundary } from "../../lib/calendar.ts";

export interface ResetCycle {
  readonly autoReset: boolean;
  readonly resetDays: number;
  readonly resetPeriod: string;
  readonly resetStartDay: number;
  readonly resetStartMonth: number;
  readonly resetCalendar: string;
}

/** What a period's absent anchor means: the first of the month, January. */
export function defaultAnchor(period: string): { readonly resetStartDay: number; readonly resetStartMonth: number } {
  return {
    resetStartDay: period === "monthly" || period === "yearly" ? 1 : 0,
    resetStartMonth: period === "yearly" ? 1 : 0,
  };
}

/**
 * The cycle as it is stored. Throws 400 naming the day or month that does not fit the period. A rolling cycle has no
 * calendar.
 */
export function checkedCycle<C extends ResetCycle>(cycle: C): C {
  const { resetPeriod, resetStartDay, resetStartMonth } = cycle;
  if (resetPeriod === "weekly" && resetStartDay > 6)
    invalid("resetStartDay", ruleSaying("must be 0 (Sunday) to 6 for a weekly reset", "between", 0, 6));
  if ((resetPeriod === "monthly" || resetPeriod === "yearly") && resetStartDay < 1)
    invalid("resetStartDay", ruleSaying("must be 1 to 31", "between", 1, 31));
  if (resetPeriod === "yearly" && resetStartMonth < 1)
    invalid("resetStartMonth", ruleSaying("must be 1 to 12 for a yearly reset", "between", 1, 12));
  return resetPeriod === "" ? { ...cycle, resetCalendar: "" } : cycle;
}

/**
 * Unix seconds of the first reset after a write at `now`: exactly N days on for a rolling cycle, else the next
 * boundary. 0 = none.
 */
export function firstReset(cycle: ResetCycle, now: number, timeZone: string): number {
  const known = cycle.autoReset ? cycleOfReset(cycle, now) : undefined;
  return known ? nextBoundary(known, now, timeZone) : 0;
}

/**
 * The next reset of a cycle that starts again at `from`, as a renewal, a reset by hand and the first use make it do
 * (rule users.reset.5). Calendar cycles stay where they are.
 */
export function restarted(cycle: ResetCycle & { readonly nextReset: number }, from: number, now: number): number {
  const known = cycle.autoReset && cycle.resetPeriod === "" ? cycleOfReset(cycle, from) : undefined;
  return known ? nextBoundary(known, now, "") : cycle.nextReset;
}

/** Whether two records describe the same cycle. */
export function sameCycle(a: ResetCycle, b: ResetCycle): boolean {
  return (
    a.autoReset === b.autoReset &&
    a.resetDays === b.resetDays &&
    a.resetPeriod === b.resetPeriod &&
    a.resetStartDay === b.resetStartDay &&
    a.resetStartMonth === b.resetStartMonth &&
    a.resetCalendar === b.resetCalendar
  );
}
