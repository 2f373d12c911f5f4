// The fence grows with every start: beside other processes, with a clock that was set back, and on a database restored
// from a backup.
import { expect, test } from "vitest";
import { takeFence } from "../../src/runtime/shards.ts";

/** A sequence as the stores keep it, from `next` on. */
function sequence(next = 1) {
  return async (_: string, count: number) => {
    next += count;
    return next - count;
  };
}
const T = 1_800_000_000_000;

test("every start gets a larger one, also at the same time and with a clock that was set back", async () => {
  const reserve = sequence();
  const fences = [await takeFence(reserve, T), await takeFence(reserve, T), await takeFence(reserve, T - 3_600_000)];
  expect(fences[0]).toBe(T / 1000);
  expect(fences).toEqual(fences.toSorted((a, b) => a - b));
  expect(
    new Set([...fences, ...(await Promise.all([takeFence(reserve, T + 9000), takeFence(reserve, T + 9000)]))]).size,
  ).toBe(5);
});

test("a database restored from an old backup still gives a larger one than agents have seen", async () => {
  const seen = await takeFence(sequence(500), T);
  expect(await takeFence(sequence(3), T + 60_000)).toBeGreaterThan(seen);
});
