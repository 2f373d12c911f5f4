// The panel's clock beside the source that it follows.
import { expect, test } from "vitest";
import { SteadyClock } from "../../src/lib/steady-clock.ts";

const NOON = 1_800_000_000_000;
/** More than passes between two lines of a test, on a busy machine. */
const MOMENT = 500;

test("follows drift without a word, and tells of a source that was set", () => {
  const clock = new SteadyClock(NOON);
  expect(clock.now() - NOON).toBeLessThan(MOMENT);
  expect(clock.follow(clock.now() + 400)).toBe(0);
  expect(clock.now() - NOON).toBeGreaterThanOrEqual(400);
  const back = clock.follow(clock.now() - 86_400_000);
  expect(Math.abs(back + 86_400_000)).toBeLessThan(MOMENT);
  expect(Math.abs(clock.now() - (NOON + 400 - 86_400_000))).toBeLessThan(MOMENT);
  expect(clock.follow(clock.now())).toBe(0);
});

test("a difference that the way to the source explains changes nothing", () => {
  const clock = new SteadyClock(NOON);
  expect(clock.follow(NOON + 5000, 6000)).toBe(0);
  expect(clock.now() - NOON).toBeLessThan(MOMENT);
});
