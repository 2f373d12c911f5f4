// Names from a pattern.
import { expect, test } from "vitest";
import { nameFrom, readPattern, varies } from "../../src/lib/name-pattern.ts";

// rule jobs.generate.1
test.each([
  ["vip-{n}", 7, "vip-7"],
  ["vip-{n:4}", 7, "vip-0007"],
  ["{n:2}", 1234, "1234"],
  ["a{rand:6}-{n}", 1, "arrrrrr-1"],
  ["plain", 1, "plain"],
])("%s at %i is %s", (pattern, number, name) => {
  expect(nameFrom(readPattern(pattern) ?? [], number, (length) => "r".repeat(length))).toBe(name);
});

test.each(["{x}", "{n", "n}", "{rand}", "{rand:0}", "{rand:33}", "{n:13}", "{n:0}", "{}"])("%s is none", (pattern) => {
  expect(readPattern(pattern)).toBeUndefined();
});

test("whether its names differ", () => {
  expect(varies(readPattern("a{n}") ?? [])).toBe(true);
  expect(varies(readPattern("a") ?? [])).toBe(false);
});
