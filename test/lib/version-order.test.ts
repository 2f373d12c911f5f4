// Which of two versions is newer.
import { expect, test } from "vitest";
import { compareVersions } from "../../src/lib/version-order.ts";

test("numbers count as numbers, and a release is newer than what came before it", () => {
  const ordered = [
    "0.9",
    "1.2",
    "1.2.0-alpha.2",
    "1.2.0-alpha.10",
    "1.2.0-rc.1",
    "1.2.0",
    "1.2.10",
    "1.10.0",
    "26.1.23",
  ];
  for (let seed = 0; seed < ordered.length; seed++) {
    const shuffled = [...ordered.slice(seed), ...ordered.slice(0, seed).toReversed()];
    expect(shuffled.toSorted(compareVersions)).toEqual(ordered);
  }
  expect(compareVersions("v1.2.3", "1.2.3+build.7")).toBe(0);
  expect(compareVersions("1.2.3", "1.2.x")).toBeLessThan(0);
  expect(compareVersions("20261128000000000000000001", "20261128000000000000000000")).toBeGreaterThan(0);
});
