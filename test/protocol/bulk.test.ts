// Lists and tables of the other side: read to the first wrong item and no further, and quick where the schema is slow,
// with the same verdict.
import { expect, test } from "vitest";
import { z } from "zod";
import { list, table } from "../../src/protocol/bulk.ts";
import { agentMethods, LiveFigures, panelMethods } from "../../src/protocol/messages.ts";
import { hasTooManyParts } from "../../src/protocol/json-size.ts";
import { isUsageRow, UsageRow } from "../../src/protocol/usage-rows.ts";
import { firstIssue, plainLine, said } from "../../src/protocol/said-text.ts";

/** A schema that counts what it is asked. */
function counting() {
  let asked = 0;
  return { item: z.number().refine((value) => ++asked > 0 && value >= 0), asked: () => asked };
}

test("a list of wrong items is read to the first", () => {
  const { item, asked } = counting();
  const parsed = list(item, { max: 200_000 }).safeParse(Array.from({ length: 100_000 }, () => -1));
  expect(parsed.error?.issues).toHaveLength(1);
  expect(parsed.error?.issues[0]?.path).toEqual([0]);
  expect(asked()).toBe(1);
});

test("a list or table that is too long is not read at all", () => {
  const { item, asked } = counting();
  expect(list(item, { max: 10 }).safeParse(Array.from({ length: 11 }, () => 1)).success).toBe(false);
  expect(list(item, { min: 3, max: 3 }).safeParse([1]).success).toBe(false);
  expect(asked()).toBe(0);
  const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 1]));
  expect(table(z.string(), item, 20).safeParse(keys).success).toBe(false);
  expect(asked()).toBe(20);
});

test("neither takes another kind of value, nor the prototype for a key", () => {
  for (const value of [null, "x", 5, {}, undefined])
    expect(list(z.unknown(), { max: 9 }).safeParse(value).success).toBe(false);
  for (const value of [null, "x", 5, [], undefined])
    expect(table(z.string(), z.unknown(), 9).safeParse(value).success).toBe(false);
  const parsed = table(z.string(), z.number(), 9).parse(JSON.parse('{"__proto__":1,"a":2}'));
  expect(Object.entries(parsed)).toEqual([
    ["__proto__", 1],
    ["a", 2],
  ]);
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
});

test("the quick look at a row says what its schema says", () => {
  const cells = [0, 1, -1, 1.5, 2 ** 53 - 1, 2 ** 53, NaN, Infinity, "1", null, undefined, [], {}, true, -0];
  const rows: unknown[] = [null, {}, "12345", [1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [], { length: 5, 0: 1 }];
  for (const cell of cells)
    for (let at = 0; at < 5; at++) rows.push([1, 2, 3, 4, 5].map((good, index) => (index === at ? cell : good)));
  for (const row of rows) expect([row, isUsageRow(row)]).toEqual([row, UsageRow.safeParse(row).success]);
});

const batch = { bootId: "6f2b3f0e-3f1e-4c58-9d0c-0a7c3d3a3f11", seq: 7, from: 1, to: 2, up: 0, down: 0 };

test("what is said of a wrong message is its first issue, in at most 200 bytes", () => {
  const wrong = agentMethods.usage.params.safeParse({
    ...batch,
    rows: Array.from({ length: 100_000 }, () => [-1, -1, -1, -1, -1]),
  });
  expect(wrong.error && firstIssue(wrong.error)).toMatch(/^rows\.0\.0: .+/);
  const key = "\u{1F600}\n".repeat(100);
  const named = panelMethods["state.digests"].result.safeParse({ objects: { [key]: 1 }, buckets: [] });
  expect(named.error && Buffer.byteLength(firstIssue(named.error))).toBeLessThanOrEqual(200);
});

// rule agents.message.3
test("texts of an agent are cut between characters, in one line, without what steers a terminal", () => {
  expect(plainLine("é".repeat(100), 20)).toBe(`${"é".repeat(8)}…`);
  expect(plainLine("a\u0000b\u001b[2Jc\u202ed\ud800e\nf", 100)).toBe("a b [2Jc d e f");
  expect(Buffer.byteLength(said(50).parse("x".repeat(1_000_000)))).toBe(50);
});

// rule agents.message.4
test("figures stay within what a host can have", () => {
  expect(LiveFigures.parse({ load1: -3, cpuPercent: 1e300, memoryUsed: 2 ** 53 - 1, uptime: 1e15 })).toEqual({
    load1: 0,
    cpuPercent: 100,
    memoryUsed: 2 ** 50,
    uptime: 2 ** 32,
  });
  for (const load1 of [NaN, Infinity]) expect(LiveFigures.safeParse({ load1 }).success).toBe(false);
});

test("a text of too many parts is known before it is parsed", () => {
  expect(hasTooManyParts(Buffer.from(`[${"{},".repeat(50_000)}0]`), 90_000)).toBe(true);
  expect(hasTooManyParts(Buffer.from(`[${"{},".repeat(50_000)}0]`), 110_000)).toBe(false);
  expect(hasTooManyParts(Buffer.from(`"${"x".repeat(200_000)}"`), 10)).toBe(false);
});
