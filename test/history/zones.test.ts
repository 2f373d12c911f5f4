// Hours and days begin where those of the panel's zone begin: zones that are ahead by parts of an hour, days of 23 and
// 25 hours, and a zone that is changed.
import { describe, expect, test } from "vitest";
import { isTimeZone } from "../../src/lib/zone.ts";
import { dialects } from "../database.ts";
import { DAY, HOUR, HistorySide } from "./history-side.ts";

const at = (text: string) => Date.parse(text) / 1000;

async function pointsOf(side: HistorySide, step: "hour" | "day", start: number, end: number) {
  const { series, ...answer } = await side.traffic.traffic({ by: "total", step, top: 1, start, end });
  return { ...answer, points: series[0]?.points.map((point) => [point.at, point.down]) };
}

describe.each(dialects)("on %s", (dialect) => {
  // rule usage.history.5
  test.each([
    ["Asia/Tehran", "2026-10-21T20:30:00Z"],
    ["Asia/Kathmandu", "2026-10-21T18:15:00Z"],
  ])("in %s hours and days begin at their own quarter", async (zone, midnight) => {
    const dawn = at(midnight);
    const side = await HistorySide.open(dialect, dawn - HOUR, zone);
    await side.addUsers([1]);
    await side.addNodes([1]);
    await side.count(1, [[1, 1, 0, 1, dawn - 1]]);
    await side.fold();
    side.pass(HOUR);
    await side.count(1, [[1, 1, 0, 10, dawn]]);
    await side.fold();
    side.pass(HOUR);
    await side.count(1, [[1, 1, 0, 100]]);
    for (const folded of [false, true]) {
      if (folded) await side.fold();
      expect((await pointsOf(side, "hour", dawn - HOUR, dawn + 2 * HOUR)).points).toEqual([
        [dawn - HOUR, 1],
        [dawn, 10],
        [dawn + HOUR, 100],
      ]);
      const days = await pointsOf(side, "day", dawn - 1, dawn + 1);
      expect(days).toMatchObject({ start: dawn - DAY, end: dawn + DAY, zone });
      expect(days.points).toEqual([
        [dawn - DAY, 1],
        [dawn, 110],
      ]);
    }
    await side.dispose();
  });

  test("without a zone of its own the panel counts in the host's, by its name", async () => {
    const host = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const side = await HistorySide.open(dialect, at("2026-10-21T20:00:00Z"), "");
    expect(side.traffic.zone()).not.toBe("");
    if (isTimeZone(host)) expect(side.traffic.zone()).toBe(host);
    expect(await pointsOf(side, "day", side.now - DAY, side.now)).toMatchObject({ zone: side.traffic.zone() });
    await side.dispose();
  });

  // rule usage.history.5
  test("days of 23 and of 25 hours are whole", async () => {
    const spring = at("2026-03-29T00:00:00+01:00");
    const side = await HistorySide.open(dialect, spring, "Europe/Berlin");
    await side.addUsers([1]);
    await side.addNodes([1]);
    for (let hour = 0; hour < 24; hour++) {
      await side.count(1, [[1, 1, 0, 1]]);
      side.pass(HOUR);
    }
    side.pass(2 * DAY);
    await side.fold();
    const days = await pointsOf(side, "day", spring, spring + 24 * HOUR);
    expect(days.points?.slice(0, 2)).toEqual([
      [spring, 23],
      [spring + 23 * HOUR, 1],
    ]);
    const autumn = at("2026-10-25T00:00:00+02:00");
    side.pass(autumn - side.now);
    for (let hour = 0; hour < 26; hour++) {
      await side.count(1, [[1, 1, 0, 1]]);
      side.pass(HOUR);
    }
    await side.fold();
    side.pass(2 * DAY);
    await side.fold();
    expect((await pointsOf(side, "day", autumn, autumn + 26 * HOUR)).points).toEqual([
      [autumn, 25],
      [autumn + 25 * HOUR, 1],
    ]);
    expect((await pointsOf(side, "hour", autumn, autumn + 26 * HOUR)).points).toHaveLength(26);
    await side.dispose();
  });

  // rule usage.history.6
  test("days that are summed keep their dates when the zone changes, and no byte is lost", async () => {
    const noon = at("2026-10-21T12:00:00Z");
    const side = await HistorySide.open(dialect, noon, "UTC");
    await side.addUsers([1]);
    await side.addNodes([1]);
    await side.count(1, [[1, 1, 0, 1]]);
    side.pass(11.5 * HOUR);
    await side.count(1, [[1, 1, 0, 10]]);
    await side.fold();
    side.pass(10 * HOUR);
    await side.count(1, [[1, 1, 0, 100]]);
    await side.fold();
    side.restart("Asia/Tehran");
    // The hour from 09:00 UTC is not passed on yet; it begins on the 22nd in Tehran too.
    await side.count(1, [[1, 1, 0, 1000]]);
    for (const hours of [0, 2, 48]) {
      side.pass(hours * HOUR);
      await side.fold();
      const { points } = await pointsOf(side, "day", noon - DAY, noon + 2 * DAY);
      expect(points?.filter(([, down]) => down !== 0)).toEqual([
        [at("2026-10-21T00:00:00+03:30"), 11],
        [at("2026-10-22T00:00:00+03:30"), 1100],
      ]);
    }
    const { points } = await pointsOf(side, "hour", noon, noon + DAY);
    expect(points?.reduce((sum, [, down = 0]) => sum + down, 0)).toBe(1111);
    await side.dispose();
  });

  // rule usage.history.7
  test("where the panel ran and nothing moved there are zeros, where nothing is known nothing", async () => {
    const start = at("2026-10-21T00:00:00Z");
    const side = await HistorySide.open(dialect, start);
    await side.fold();
    side.pass(HOUR);
    await side.fold();
    side.pass(3 * HOUR);
    side.restart();
    await side.fold();
    const { points } = await pointsOf(side, "hour", start - HOUR, start + 8 * HOUR);
    expect(points).toEqual([
      [start, 0],
      [start + HOUR, 0],
      [start + 4 * HOUR, 0],
    ]);
    expect((await pointsOf(side, "day", start - DAY, start + DAY)).points).toEqual([[start, 0]]);
    // The lines of a list have the same gaps.
    const window = { start: start - HOUR, end: start + 6 * HOUR, step: "hour" } as const;
    const lines = await side.traffic.sparklines("user", [7], window);
    expect(lines.at).toEqual(Array.from({ length: 7 }, (_, hour) => start + (hour - 1) * HOUR));
    const down = lines.points.get(7)?.map((point) => point?.down);
    expect(down).toEqual([undefined, 0, 0, undefined, undefined, 0, undefined]);
    const none = await side.traffic.sparklines("node", [], { ...window, step: "day" });
    expect(none).toEqual({ start: start - DAY, end: start + DAY, at: [start - DAY, start], points: new Map() });
    await side.dispose();
  });
});
