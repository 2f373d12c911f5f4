// What is kept of what was refused: the largest, the sum of the rest, and every byte, in the same little room however
// much there is.
import { expect, test } from "vitest";
import { Refusals } from "../../src/fleet/usage/refusal-sums.ts";

const ACCOUNTS = 150_000;
const orders: Record<string, (n: number) => number> = {
  "the smallest first": (n) => n + 1,
  "the largest first": (n) => ACCOUNTS - n,
  "in no order": (n) => ((n * 7919) % ACCOUNTS) + 1,
};

// rule usage.refused.1
test.each(Object.entries(orders))("of 150,000 accounts, %s, the thousand largest are kept", (_, bytesOf) => {
  const refusals = new Refusals(3);
  for (let n = 0; n < ACCOUNTS; n++)
    expect(refusals.add(n % 2 ? "not_served" : "too_fast", n + 1, bytesOf(n), 1)).toBe(false);
  const rows = refusals.rows();
  expect(rows).toHaveLength(1002);
  expect(rows.slice(0, 1000).map(({ up }) => up)).toEqual(Array.from({ length: 1000 }, (__, n) => ACCOUNTS - n));
  expect(
    rows
      .slice(1000)
      .map(({ code, userId }) => `${code} ${userId}`)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(["not_served 0", "too_fast 0"]);
  expect(rows.reduce((sum, { up }) => sum + up, 0)).toBe((ACCOUNTS * (ACCOUNTS + 1)) / 2);
  expect(rows.reduce((sum, { down }) => sum + down, 0)).toBe(ACCOUNTS);
});

test("rows of one account and code are one, and the largest number is exact", () => {
  const refusals = new Refusals(3);
  for (let n = 0; n < 3; n++) refusals.add("not_served", 2 ** 53 - 1, 2 ** 53 - 1, 5);
  refusals.add("too_fast", 2 ** 53 - 1, 1, 0);
  expect(refusals.rows()).toEqual([
    { code: "not_served", userId: 2 ** 53 - 1, up: 2 ** 53 - 1, down: 15 },
    { code: "too_fast", userId: 2 ** 53 - 1, up: 1, down: 0 },
  ]);
});
