// From which moment on a node may report usage of accounts, after a batch was counted: never later than the newest
// reading that the batch can contain.
import { expect, test } from "vitest";
import { DRAINED_MS, reportedUntil } from "../../src/fleet/link/reported-until.ts";

const NOW = 1_800_000_000_900;

test("what is read between a batch and the removal that follows within its second is in the next batch, and counts", () => {
  // Sealed at .400, an account dropped at .600 and the drop answered at .700; the batch comes in at .900.
  const until = reportedUntil({ to: Math.floor(NOW / 1000) }, { at: NOW, informedAt: NOW, linkedSince: NOW - 1000 });
  expect(until).toBeLessThan(NOW - 500);
});

test("an agent whose clock is ahead by some seconds loses nothing either", () => {
  const until = reportedUntil(
    { to: Math.floor(NOW / 1000) + 4 },
    { at: NOW, informedAt: NOW, linkedSince: NOW - 1000 },
  );
  expect(until).toBeLessThan(NOW - 500);
});

test("it ends with what the agent was told, and no later than ten minutes of a link ago", () => {
  expect(reportedUntil({ to: 0 }, { at: NOW, informedAt: 5, linkedSince: NOW })).toBeLessThanOrEqual(5);
  expect(reportedUntil({ to: 0 }, { at: NOW, informedAt: NOW, linkedSince: NOW - DRAINED_MS })).toBe(NOW - DRAINED_MS);
});
