// What cells of a table say: numbers, sizes and dates as people and spreadsheets write them, in any digits.
import { expect, test } from "vitest";
import { bodyOfCells } from "../../src/accounts/transfer/cells.ts";
import { readHead } from "../../src/accounts/transfer/head.ts";

const GIB = 2 ** 30;
const TEHRAN = { timeZone: "Asia/Tehran", empty: "refuse", unlimited: [] } as const;

const read = (column: string, cell: string) => {
  const { body, problems } = bodyOfCells(["name", column], ["a", cell], TEHRAN);
  return problems[0]?.broken.params.rule.code ?? body[column];
};
const at = (text: string) => Date.parse(text) / 1000;

// rule jobs.import.12
test.each([
  ["volume", "1073741824", GIB],
  ["volume", "1073741824.0", GIB],
  ["volume", "1.073741824E+9", GIB],
  ["volume", "1.073741824e9", GIB],
  ["volume", "1,073,741,824", GIB],
  ["volume", "5E+10", 5e10],
  ["volume", "۱۰۷۳۷۴۱۸۲۴", GIB],
  ["volume", "١٠٧٣٧٤١٨٢٤", GIB],
  ["volume", " 50GB ", 50 * GIB],
  ["volume", "50 GiB", 50 * GIB],
  ["volume", "۵۰ GB", 50 * GIB],
  ["volume", "1.5 TB", 1.5 * 1024 * GIB],
  ["volume", "۱٫۵ tb", 1.5 * 1024 * GIB],
  ["volume", "512m", GIB / 2],
  ["volume", "10 B", 10],
  ["volume", "0", 0],
  ["volume", "unlimited", 0],
  ["volume", "1.07374E+11", "cut_digits"],
  ["volume", "fifty", "size"],
  ["volume", "50 XB", "size"],
  ["volume", "1.5", "size"],
  ["volume", "-5GB", "size"],
  ["speedLimit", "2MB", 2 * 1024 * 1024],
  ["deviceLimit", "۳", 3],
  ["deviceLimit", "2.0", 2],
  ["deviceLimit", "2.5", "whole_number"],
  ["deviceLimit", "many", "whole_number"],
  ["deviceLimit", "", "empty_limit"],
  ["ipLimit", " ", "empty_limit"],
  ["volume", "", "empty_limit"],
  ["expiry", "", "empty_limit"],
  ["speedLimit", "", undefined],
  ["expiry", "1798749000", 1_798_749_000],
  ["expiry", "2026-12-31", at("2026-12-31T20:29:59Z")],
  ["expiry", "2026/12/31", at("2026-12-31T20:29:59Z")],
  ["expiry", "1405/10/10", at("2026-12-31T20:29:59Z")],
  ["expiry", "1405-10-10", at("2026-12-31T20:29:59Z")],
  ["expiry", "۱۴۰۵/۱۰/۱۰", at("2026-12-31T20:29:59Z")],
  ["expiry", "1403/12/30", at("2025-03-20T20:29:59Z")],
  ["expiry", "1404/12/30", "date"],
  ["expiry", "2026-02-30", "date"],
  ["expiry", "2026-13-01", "date"],
  ["expiry", "31.12.2026", "date"],
  ["expiry", "tomorrow", "date"],
  ["expiry", "never", 0],
  ["nextReset", "2026-12-31", at("2026-12-30T20:30:00Z")],
  ["planId", "7", 7],
  ["enable", "TRUE", true],
  ["enable", "۰", false],
  ["enable", "perhaps", "choice"],
])("%s: %o is %o", (column, cell, value) => {
  expect(read(column, cell)).toBe(value);
});

// rule jobs.import.11
test("a head is read in any case, with spaces, and names what it does not know", () => {
  const head = readHead([
    "Name ",
    " Volume=unlimited",
    "Device limit",
    "EXPIRY (Unlimited)",
    "telefon",
    "",
    "contact_Shop",
  ]);
  expect(head).toEqual({
    columns: ["name", "volume", "deviceLimit", "expiry", "", "", "contact_Shop"],
    unknown: ["telefon"],
    unlimited: ["volume", "expiry"],
  });
  expect(() => readHead(["name", "volume", "Volume "])).toThrow(/twice/);
  expect(() => readHead(["volume"])).toThrow(/column name/);
});

// rule jobs.import.11
test("an empty limit is refused unless the head, the order, a plan or a length says what it is", () => {
  const row = (columns: string[], cells: string[], reading: Partial<Parameters<typeof bodyOfCells>[2]> = {}) =>
    bodyOfCells(columns, cells, { ...TEHRAN, ...reading });
  const fields = (...given: Parameters<typeof row>) => row(...given).problems.map(({ field }) => field);
  expect(fields(["name", "volume", "expiry"], ["a"])).toEqual(["volume", "expiry"]);
  expect(fields(["name", "volume", "expiry"], ["a"], { unlimited: ["volume"] })).toEqual(["expiry"]);
  expect(fields(["name", "volume", "planId"], ["a", "", "3"])).toEqual([]);
  expect(fields(["name", "expiry", "duration"], ["a", "", "86400"])).toEqual([]);
  expect(row(["name", "volume"], ["a"], { empty: "unlimited" })).toEqual({
    body: { name: "a" },
    problems: [],
    assumed: [{ field: "volume", code: "empty_unlimited", value: "" }],
  });
});
