// Reset cycles against a second reading of the rules: day by day through a table of dates that ICU wrote, with the
// first moment of a day found by asking the zone's clock. It shares no line with `lib/calendar.ts`. The seeds are 1
// and the number of the day; `CALENDAR_ROUNDS=4000` draws more.
import { describe, expect, test } from "vitest";
import { cycleOfReset, nextBoundary, type ResetFields } from "../../src/lib/calendar.ts";
import { Chance } from "../simulation/chance.ts";

const DAY = 86_400;
const FIRST = Date.UTC(2004, 0, 1) / 1000 / DAY;
const LAST = Date.UTC(2046, 0, 1) / 1000 / DAY;
/** Zones with summer time, at midnight too; that once skipped a day; with half hours; without any. */
const ZONES = [
  "UTC",
  "Asia/Tehran",
  "Europe/Berlin",
  "America/Sao_Paulo",
  "America/Havana",
  "America/Santiago",
  "America/St_Johns",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Apia",
] as const;

interface DateOf {
  readonly month: number;
  readonly day: number;
}

/** The date of each day of the table. */
function tableOf(calendar: "gregory" | "persian"): readonly DateOf[] {
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    timeZone: "UTC",
    month: "numeric",
    day: "numeric",
  });
  return Array.from({ length: LAST - FIRST }, (_, index) => {
    const parts = format.formatToParts((FIRST + index) * DAY * 1000);
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return { month: read("month"), day: read("day") };
  });
}
const TABLES = { "": tableOf("gregory"), jalali: tableOf("persian") } as const;

class Zone {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const numeric = "numeric" as const;
    this.#format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      timeZone,
      year: numeric,
      month: numeric,
      day: numeric,
    });
  }

  /** The number of the day that people there write at a moment (Unix seconds). */
  dayAt(at: number): number {
    const parts = this.#format.formatToParts(at * 1000);
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(read("year"), read("month") - 1, read("day")) / 1000 / DAY;
  }

  /** The first moment at which people there write this day or, where there was none, a later one. To the minute. */
  startOf(day: number): number {
    // No zone is more than 15 hours away, and none changes its clock by other than whole minutes.
    const from = day * DAY - 15 * 3600;
    for (let at = from; ; at += 900) {
      if (this.dayAt(at) < day) continue;
      for (let minute = at - 900; minute < at; minute += 60) if (this.dayAt(minute) >= day) return minute;
      return at;
    }
  }
}

/** Whether a cycle begins on a day, by the words of the contract. */
function begins(fields: ResetFields, day: number): boolean {
  if (fields.resetPeriod === "weekly") return new Date(day * DAY * 1000).getUTCDay() === fields.resetStartDay;
  const table = TABLES[fields.resetCalendar === "jalali" ? "jalali" : ""];
  const date = table[day - FIRST];
  const tomorrow = table[day - FIRST + 1];
  if (!date || !tomorrow) throw new Error(`day ${day} is not in the table`);
  if (fields.resetPeriod === "yearly" && date.month !== fields.resetStartMonth) return false;
  // A day past the month's end is its last one.
  const isLast = tomorrow.month !== date.month;
  return date.day === fields.resetStartDay || (isLast && date.day < fields.resetStartDay);
}

function expectedNext(fields: ResetFields, after: number, zone: Zone): number {
  for (let day = zone.dayAt(after) - 1; ; day++) {
    if (!begins(fields, day)) continue;
    const start = zone.startOf(day);
    if (start > after) return start;
  }
}

function drawn(chance: Chance): ResetFields {
  const resetPeriod = chance.pick(["weekly", "monthly", "yearly"] as const);
  return {
    resetDays: chance.whole(0, 40),
    resetPeriod,
    resetStartDay: resetPeriod === "weekly" ? chance.whole(0, 6) : chance.pick([1, 2, 15, 28, 29, 30, 31]),
    resetStartMonth: chance.pick([1, 2, 6, 7, 11, 12]),
    resetCalendar: chance.pick(["", "jalali"] as const),
  };
}

describe("against a walk through the days", () => {
  // rule users.reset.4
  test.each(ZONES)("in %s", (timeZone) => {
    const today = Math.floor(Date.now() / 1000 / DAY);
    const zone = new Zone(timeZone);
    for (const seed of [1, today]) {
      const chance = new Chance(seed, timeZone);
      for (let round = 0; round < (Number(process.env["CALENDAR_ROUNDS"]) || 40); round++) {
        const fields = drawn(chance);
        const cycle = cycleOfReset(fields, 0);
        if (!cycle) throw new Error("no cycle");
        // Anywhere, and around the moments at which something begins.
        let at = (FIRST + 800 + chance.whole(0, LAST - FIRST - 1600)) * DAY + chance.whole(0, DAY - 1);
        if (chance.happens(0.5)) at = expectedNext(fields, at, zone) + chance.pick([-1, 0, 1]);
        const said = new Date(nextBoundary(cycle, at, timeZone) * 1000).toISOString();
        const wanted = new Date(expectedNext(fields, at, zone) * 1000).toISOString();
        expect(said, `seed ${seed}: ${JSON.stringify(fields)} after ${new Date(at * 1000).toISOString()}`).toBe(wanted);
      }
    }
  });

  // rule users.reset.4
  test("a rolling cycle counts its days from the anchor, however many passed", () => {
    const chance = new Chance(Math.floor(Date.now() / 1000 / DAY), "rolling");
    for (let round = 0; round < 200; round++) {
      const anchor = chance.whole(0, 2 ** 31);
      const resetDays = chance.whole(1, 400);
      const after = anchor + chance.whole(-100, 3000 * DAY);
      let wanted = anchor;
      while (wanted <= after) wanted += resetDays * DAY;
      const fields = { resetDays, resetPeriod: "", resetStartDay: 0, resetStartMonth: 0, resetCalendar: "" };
      const cycle = cycleOfReset(fields, anchor);
      if (!cycle) throw new Error("no cycle");
      if (after >= anchor) expect(nextBoundary(cycle, after, "UTC")).toBe(wanted);
    }
  });
});
