// Folding can end between any two of its steps, and several panels can do it at once; forgetting touches what is due.
import { describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { DAY, HOUR, HistorySide } from "./history-side.ts";

const START = Date.UTC(2026, 9, 21) / 1000;

async function total(side: HistorySide): Promise<number> {
  const { series } = await side.traffic.traffic({
    by: "total",
    step: "day",
    top: 1,
    start: START - 2 * DAY,
    end: side.now + 1,
  });
  return series[0]?.down ?? 0;
}

async function filled(dialect: (typeof dialects)[number]): Promise<HistorySide> {
  const side = await HistorySide.open(dialect, START);
  await side.addUsers(Array.from({ length: 300 }, (_, index) => 1 + 400 * index));
  await side.addNodes([1, 2]);
  for (let hour = 0; hour < 6; hour++) {
    for (const node of [1, 2])
      await side.count(
        node,
        Array.from({ length: 300 }, (_, index) => [1 + 400 * index, 1, 1, 1] as const),
      );
    side.pass(HOUR);
  }
  return side;
}

describe.each(dialects)("on %s", (dialect) => {
  // rule usage.history.9
  test("ended after every step, and begun again with nothing in memory, it loses nothing", async () => {
    const side = await filled(dialect);
    let steps = 0;
    for (let going = true; going;) {
      let asked = 0;
      await side.fold(() => asked++ < 3);
      going = asked > 3 || steps < 4;
      side.restart();
      expect(await total(side)).toBe(3600);
      if (++steps > 200) throw new Error("it does not end");
      if (steps === 3) side.pass(2 * DAY);
    }
    await side.fold();
    expect(await total(side)).toBe(3600);
    expect(await side.rowsOf("traffic_chunks")).toBe(0);
    await side.dispose();
  });

  // rule usage.history.9
  test("two that fold at once, while something comes late, count nothing twice", async () => {
    const side = await filled(dialect);
    const other = await side.beside();
    for (let round = 0; round < 4; round++) {
      await Promise.all([side.fold(), other.fold(), side.count(1, [[1, 1, 0, 1, side.now - 5 * HOUR]])]);
      side.pass(12 * HOUR);
    }
    await other.fold();
    await side.fold();
    expect(await total(side)).toBe(3604);
    expect(await total(other)).toBe(3604);
    expect(await side.rowsOf("traffic_chunks")).toBe(0);
    await other.dispose();
    await side.dispose();
  });

  // rule usage.history.8
  test("what is past its time goes, and nothing else", async () => {
    const side = await filled(dialect);
    side.daysKept = 40;
    for (let round = 0; round < 3; round++) {
      side.pass(DAY);
      await side.fold();
    }
    const [hours, days, months] = [
      await side.rowsOf("traffic_hours"),
      await side.rowsOf("traffic_days"),
      await side.rowsOf("traffic_months"),
    ];
    side.pass(31 * DAY);
    await side.forget();
    expect(await side.rowsOf("traffic_hours")).toBe(hours);
    side.pass(3 * DAY);
    await side.forget();
    // What the panel noted of the days on which nothing moved is left.
    expect(await side.rowsOf("traffic_hours")).toBe(3);
    expect(await side.rowsOf("traffic_days")).toBe(days);
    expect(await total(side)).toBe(3600);
    side.pass(3 * DAY);
    await side.forget();
    expect(await side.rowsOf("traffic_days")).toBe(days);
    side.pass(DAY);
    await side.forget();
    expect(await total(side)).toBe(0);
    expect(await side.rowsOf("traffic_days")).toBeLessThan(4);
    expect(await side.rowsOf("traffic_months")).toBe(months);
    side.daysKept = Infinity;
    side.pass(400 * DAY);
    await side.forget();
    expect(await side.rowsOf("traffic_months")).toBe(months);
    await side.dispose();
  });
});
