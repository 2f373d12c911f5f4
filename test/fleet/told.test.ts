// From which moment on a node may tell of accounts, once a batch of it is counted: never later than what that batch can
// have held.
import { expect, test } from "vitest";
import { DRAINED_MS, toldUntil } from "../../src/fleet/told.ts";

const NOW = 1_800_000_000_900;

test("what is read between a batch and the removal that follows within its second is in the next batch, and counts", () => {
  // Sealed at .400, an account dropped at .600 and the drop answered at .700; the batch comes in at .900.
  const until = toldUntil({ to: Math.floor(NOW / 1000) }, { at: NOW, told: NOW, linkedSince: NOW - 1000 });
  expect(until).toBeLessThan(NOW - 500);
});

test("an agent whose clock is ahead by some seconds loses nothing either", () => {
  const until = toldUntil({ to: Math.floor(NOW / 1000) + 4 }, { at: NOW, told: NOW, linkedSince: NOW - 1000 });
  expect(until).toBeLessThan(NOW - 500);
});

test("it ends with what the agent was told, and no later than ten minutes of a link ago", () => {
  expect(toldUntil({ to: 0 }, { at: NOW, told: 5, linkedSince: NOW })).toBeLessThanOrEqual(5);
  expect(toldUntil({ to: 0 }, { at: NOW, told: NOW, linkedSince: NOW - DRAINED_MS })).toBe(NOW - DRAINED_MS);
});
