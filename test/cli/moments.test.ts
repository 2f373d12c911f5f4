// Moments as people type them on the command line.
import { expect, test } from "vitest";
import { parseMoment } from "../../src/cli/terminal/moments.ts";

/** A Wednesday noon, in the time zone of the person who runs this. */
const now = new Date(2026, 2, 25, 12, 30, 15);
const at = (text: string) => parseMoment(text, "--at", now);
const local = (...parts: [number, number, number, number?, number?, number?]) =>
  Math.floor(new Date(...parts).getTime() / 1000);

test("so long ago", () => {
  expect(at("90s")).toBe(local(2026, 2, 25, 12, 28, 45));
  expect(at("2h")).toBe(local(2026, 2, 25, 10, 30, 15));
  expect(at("3d")).toBe(local(2026, 2, 25, 12, 30, 15) - 3 * 86_400);
});

test("days and times of day; a bare time is the last one that has come", () => {
  expect(at("today")).toBe(local(2026, 2, 25));
  expect(at("yesterday")).toBe(local(2026, 2, 24));
  expect(at("12:10")).toBe(local(2026, 2, 25, 12, 10));
  expect(at("15:10")).toBe(local(2026, 2, 24, 15, 10));
  expect(at("yesterday 9:05:30")).toBe(local(2026, 2, 24, 9, 5, 30));
  expect(at("2026-03-01")).toBe(local(2026, 2, 1));
  expect(at("2026-03-01T15:10")).toBe(local(2026, 2, 1, 15, 10));
  expect(at("1774000000")).toBe(1_774_000_000);
});

test("what is no moment is refused by the option's name", () => {
  for (const text of ["", "soon", "25:00", "12:60", "2026-02-30", "2026-13-01", "10", "5w", "today15:10", "-1h"])
    expect(() => at(text), text).toThrow(/^--at is none of 30m/);
});
