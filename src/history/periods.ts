// Hours, days and months, as numbers.
//
// - An hour is the number of the quarter of an hour, since 1970, at which it begins. Hours begin where the clocks of
//   the zone show a full hour: zones are ahead of UTC by quarters (+3:30, +5:45).
// - A day is a date of the calendar, as days since 1970-01-01. A stored day stays the date that it was, whichever zone
//   the panel has later.
// - A month is a month of the Gregorian calendar, since year 0.
import { localDay, startOfDay, zoneName, zoneOffset } from "../lib/zone.ts";

export const QUARTER = 900;
export const HOUR = 3600;
export const DAY = 86_400;

/** The quarter that a moment (Unix seconds) is in. */
export function quarterOf(at: number): number {
  return Math.floor(at / QUARTER);
}

/** Unix seconds at which an hour begins. */
export function startOfHour(hour: number): number {
  return hour * QUARTER;
}

/** Hours and dates of one zone, `""` the host's. What was asked of the zone is remembered: asking it is slow. */
export class Periods {
  /** Its name, also where the panel has the host's own. */
  readonly zone: string;
  readonly #offsets = new Map<number, number>();
  readonly #dates = new Map<number, number>();
  readonly #starts = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zoneName(zone);
  }

  /** The hour that a quarter belongs to. */
  hourOf(quarter: number): number {
    const at = quarter * QUARTER;
    const offset = this.#offset(at);
    return quarterOf(Math.floor((at + offset) / HOUR) * HOUR - offset);
  }

  /** The date on which an hour begins. */
  dateOf(hour: number): number {
    return remembered(this.#dates, hour, () => localDay(startOfHour(hour), this.zone));
  }

  /** Unix seconds at which a date begins. */
  startOf(date: number): number {
    return remembered(this.#starts, date, () => startOfDay(date, this.zone));
  }

  /** Seconds that the zone is ahead. A day of UTC that begins and ends with the same offset has no other. */
  #offset(at: number): number {
    const day = at - (at % DAY);
    const first = this.#offsetAt(day);
    return first === this.#offsetAt(day + DAY) ? first : this.#offsetAt(at);
  }

  #offsetAt(at: number): number {
    return remembered(this.#offsets, at, () => zoneOffset(at, this.zone));
  }
}

function remembered(known: Map<number, number>, key: number, find: () => number): number {
  let value = known.get(key);
  if (value === undefined) {
    if (known.size > 10_000) known.clear();
    known.set(key, (value = find()));
  }
  return value;
}

export function monthOf(date: number): number {
  const day = new Date(date * DAY * 1000);
  return day.getUTCFullYear() * 12 + day.getUTCMonth();
}

/** The first date of a month. */
export function firstDateOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / (DAY * 1000);
}
