// Which stored periods make up a window.
import { firstDateOf, monthOf, quarterOf, startOfHour, type Periods } from "./periods.ts";
import type { Window } from "./traffic-questions.ts";
import type { Cover } from "./stored.queries.ts";
import type { TrafficStep } from "./traffic.schema.ts";

/** The window in whole hours. Hours of another zone begin at other quarters: each is asked for. */
export function coverByHours({ start, end }: Window, periods: Periods): Cover {
  const first = periods.hourOf(quarterOf(start));
  const last = periods.hourOf(quarterOf(Math.max(start, end - 1)));
  const next = hourAfter(last, periods);
  return { start: startOfHour(first), end: startOfHour(next), hours: range(first, next), days: [], months: [] };
}

function hourAfter(hour: number, periods: Periods): number {
  let next = hour + 1;
  while (periods.hourOf(next) === hour) next++;
  return next;
}

/** Unix seconds at which the steps of a cover begin. */
export function stepsOf({ start, end, days }: Cover, step: TrafficStep, periods: Periods): number[] {
  if (step === "day") return days.map((date) => periods.startOf(date));
  const steps: number[] = [];
  for (let hour = quarterOf(start); startOfHour(hour) < end; hour = hourAfter(hour, periods))
    steps.push(startOfHour(hour));
  return steps;
}

/** The window in whole days. */
export function coverByDays({ start, end }: Window, periods: Periods): Cover {
  const first = periods.dateOf(quarterOf(start));
  const next = periods.dateOf(quarterOf(Math.max(start, end - 1))) + 1;
  return { ...bounds(first, next, periods), hours: [], days: range(first, next), months: [] };
}

/** The same days with months in place of what they have whole. `kept`: the first date that is kept. */
export function withMonths(cover: Cover, kept: number): Cover {
  const { days } = cover;
  const whole = new Set<number>();
  const mine = new Set(days);
  for (const date of days) {
    const month = monthOf(date);
    if (firstDateOf(month) >= kept && mine.has(firstDateOf(month)) && mine.has(firstDateOf(month + 1) - 1))
      whole.add(month);
  }
  return { ...cover, days: days.filter((date) => !whole.has(monthOf(date))), months: [...whole] };
}

/**
 * The window in whole hours, by the days that it has whole and hours at its ends. Before `hoursFrom` (Unix seconds) no
 * hours are kept: a day counts there if it begins in the window.
 */
export function coverExactly(window: Window, periods: Periods, hoursFrom: number): Cover {
  const whole = coverByHours(window, periods);
  const from = whole.start >= hoursFrom ? whole.start : nextDay(window.start, periods);
  const to = whole.end >= hoursFrom ? whole.end : nextDay(window.end, periods);
  const hours: number[] = [];
  const days: number[] = [];
  for (let at = from; at < to;) {
    const date = periods.dateOf(quarterOf(at));
    const [dawn, next] = [periods.startOf(date), periods.startOf(date + 1)];
    if (dawn === at && next <= to) days.push(date);
    else hours.push(...range(quarterOf(at), quarterOf(Math.min(next, to))));
    at = Math.min(next, to);
  }
  return { start: from, end: Math.max(from, to), hours, days, months: [] };
}

/** Unix seconds at which the first day begins that does not begin before `at`. */
function nextDay(at: number, periods: Periods): number {
  const date = periods.dateOf(quarterOf(at));
  return periods.startOf(date) >= at ? periods.startOf(date) : periods.startOf(date + 1);
}

function bounds(first: number, next: number, periods: Periods) {
  return { start: periods.startOf(first), end: periods.startOf(next) };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
