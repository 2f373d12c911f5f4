// Reset cycles: clamping, both calendars, and days whose midnight the clock skips or repeats.
import { describe, expect, test } from "vitest";
import {
  type Cycle,
  cycleOfAllowance,
  cycleOfPeriod,
  cycleOfReset,
  nextBoundary,
  periodStart,
} from "../../src/lib/calendar.ts";

const unix = (iso: string): number => Date.parse(iso) / 1000;
const iso = (at: number): string => new Date(at * 1000).toISOString().replace(".000Z", "Z");

function boundaries(cycle: Cycle, from: string, zone: string, count: number): string[] {
  const found: string[] = [];
  let at = unix(from);
  for (let index = 0; index < count; index += 1) {
    at = nextBoundary(cycle, at, zone);
    found.push(iso(at));
  }
  return found;
}

describe("boundaries", () => {
  test("weekly, Sunday is 0", () => {
    expect(boundaries({ kind: "weekly", day: 0 }, "2026-11-21T12:00:00Z", "UTC", 2)).toEqual([
      "2026-11-22T00:00:00Z",
      "2026-11-29T00:00:00Z",
    ]);
    expect(boundaries({ kind: "weekly", day: 6 }, "2026-11-21T00:00:00Z", "UTC", 1)).toEqual(["2026-11-28T00:00:00Z"]);
  });

  // rule users.reset.1
  test("monthly on the 31st is clamped and returns to the anchor", () => {
    const cycle: Cycle = { kind: "monthly", day: 31, calendar: "gregorian" };
    expect(boundaries(cycle, "2028-01-31T00:00:00Z", "UTC", 4)).toEqual([
      "2028-02-29T00:00:00Z",
      "2028-03-31T00:00:00Z",
      "2028-04-30T00:00:00Z",
      "2028-05-31T00:00:00Z",
    ]);
  });

  test("yearly on 29 February", () => {
    const cycle: Cycle = { kind: "yearly", month: 2, day: 29, calendar: "gregorian" };
    expect(boundaries(cycle, "2026-03-01T00:00:00Z", "UTC", 2)).toEqual([
      "2027-02-28T00:00:00Z",
      "2028-02-29T00:00:00Z",
    ]);
  });

  test("day of the year, 366 is the last", () => {
    expect(boundaries({ kind: "dayOfYear", day: 366 }, "2027-06-01T00:00:00Z", "UTC", 2)).toEqual([
      "2027-12-31T00:00:00Z",
      "2028-12-31T00:00:00Z",
    ]);
    expect(boundaries({ kind: "dayOfYear", day: 60 }, "2026-12-31T23:00:00Z", "UTC", 2)).toEqual([
      "2027-03-01T00:00:00Z",
      "2028-02-29T00:00:00Z",
    ]);
  });

  // rule users.reset.3
  test("Persian months at Tehran's midnight", () => {
    const monthly: Cycle = { kind: "monthly", day: 1, calendar: "jalali" };
    // 1 Dey 1405, then 1 Bahman; Tehran is +03:30 all year since 2022.
    expect(boundaries(monthly, "2026-12-01T00:00:00Z", "Asia/Tehran", 2)).toEqual([
      "2026-12-21T20:30:00Z",
      "2027-01-20T20:30:00Z",
    ]);
    const nowruz: Cycle = { kind: "yearly", month: 1, day: 1, calendar: "jalali" };
    expect(boundaries(nowruz, "2024-01-01T00:00:00Z", "Asia/Tehran", 3)).toEqual([
      "2024-03-19T20:30:00Z",
      "2025-03-20T20:30:00Z",
      "2026-03-20T20:30:00Z",
    ]);
    // 1403 is a leap year: its 30 Esfand exists, in 1404 the boundary is the 29th.
    const lastDay: Cycle = { kind: "yearly", month: 12, day: 30, calendar: "jalali" };
    expect(boundaries(lastDay, "2025-01-01T00:00:00Z", "UTC", 2)).toEqual([
      "2025-03-20T00:00:00Z",
      "2026-03-20T00:00:00Z",
    ]);
  });

  test("rolling days keep the anchor's second", () => {
    const cycle: Cycle = { kind: "rolling", days: 30, anchor: unix("2026-01-01T10:11:12Z") };
    expect(iso(nextBoundary(cycle, unix("2026-01-01T10:11:12Z"), "Asia/Tehran"))).toBe("2026-01-31T10:11:12Z");
    expect(iso(periodStart(cycle, unix("2026-03-02T10:11:11Z"), "UTC"))).toBe("2026-01-31T10:11:12Z");
  });

  test("a midnight that the clock skips: the day begins after the gap", () => {
    // Beirut goes from 00:00 to 01:00 on 30 March 2025.
    expect(
      boundaries({ kind: "monthly", day: 30, calendar: "gregorian" }, "2025-03-20T00:00:00Z", "Asia/Beirut", 1),
    ).toEqual(["2025-03-29T22:00:00Z"]);
    // Samoa had no 30 December 2011 at all.
    expect(
      boundaries({ kind: "monthly", day: 30, calendar: "gregorian" }, "2011-12-20T00:00:00Z", "Pacific/Apia", 1),
    ).toEqual(["2011-12-30T10:00:00Z"]);
  });

  test("a midnight that comes twice: the first", () => {
    // Havana goes back from 01:00 to 00:00 on 2 November 2025.
    expect(boundaries({ kind: "weekly", day: 0 }, "2025-10-31T00:00:00Z", "America/Havana", 1)).toEqual([
      "2025-11-02T04:00:00Z",
    ]);
  });

  test("an unknown zone is named", () => {
    expect(() => nextBoundary({ kind: "weekly", day: 0 }, 0, "Mars/Base")).toThrow('timezone: "Mars/Base"');
  });
});

test("properties: boundaries enclose every instant, and lie at a local midnight", () => {
  const cycles: Cycle[] = [0, 3, 6].map((day) => ({ kind: "weekly", day }));
  for (const calendar of ["gregorian", "jalali"] as const) {
    for (const day of [1, 15, 29, 30, 31]) {
      cycles.push({ kind: "monthly", day, calendar });
      for (const month of [1, 2, 7, 12]) cycles.push({ kind: "yearly", month, day, calendar });
    }
  }
  cycles.push(
    { kind: "dayOfYear", day: 1 },
    { kind: "dayOfYear", day: 366 },
    { kind: "rolling", days: 7, anchor: unix("2020-05-05T05:05:05Z") },
  );
  let seed = 12345;
  for (const zone of ["UTC", "Asia/Tehran", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Beirut"]) {
    const clock = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    for (const cycle of cycles) {
      for (let round = 0; round < 6; round += 1) {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        const at = unix("2005-01-01T00:00:00Z") + (seed % (40 * 365 * 86_400));
        const start = periodStart(cycle, at, zone);
        const next = nextBoundary(cycle, at, zone);
        expect(start).toBeLessThanOrEqual(at);
        expect(next).toBeGreaterThan(at);
        expect(nextBoundary(cycle, start, zone)).toBe(next);
        expect(periodStart(cycle, next, zone)).toBe(next);
        expect(periodStart(cycle, next - 1, zone)).toBe(start);
        // 01:00 where the clock skipped midnight.
        if (cycle.kind !== "rolling") expect(clock.format(next * 1000)).toMatch(/^0[01]:00$/);
      }
    }
  }
});

describe("cycles from wire fields", () => {
  const none = { resetDays: 0, resetPeriod: "", resetStartDay: 0, resetStartMonth: 0, resetCalendar: "" };
  // rule users.reset.1
  test("a user's", () => {
    expect(cycleOfReset(none, 5)).toBeUndefined();
    expect(cycleOfReset({ ...none, resetDays: 30 }, 5)).toEqual({ kind: "rolling", days: 30, anchor: 5 });
    expect(cycleOfReset({ ...none, resetPeriod: "weekly", resetCalendar: "jalali" }, 5)).toEqual({
      kind: "weekly",
      day: 0,
    });
    expect(cycleOfReset({ ...none, resetPeriod: "monthly", resetCalendar: "jalali" }, 5)).toEqual({
      kind: "monthly",
      day: 1,
      calendar: "jalali",
    });
    expect(cycleOfReset({ ...none, resetPeriod: "yearly", resetStartDay: 31, resetStartMonth: 6 }, 5)).toEqual({
      kind: "yearly",
      month: 6,
      day: 31,
      calendar: "gregorian",
    });
  });
  // rule nodes.record.6
  test("a node's and a reseller's", () => {
    expect(cycleOfPeriod("", 1, 1)).toBeUndefined();
    expect(cycleOfPeriod("monthly", 40, 0)).toEqual({ kind: "monthly", day: 31, calendar: "gregorian" });
    expect(cycleOfAllowance("yearly", 366)).toEqual({ kind: "dayOfYear", day: 366 });
    expect(cycleOfAllowance("weekly", 6)).toEqual({ kind: "weekly", day: 6 });
  });
});
