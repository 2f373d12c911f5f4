// Quantities of bytes: shown with three digits, read as people type them.
import { expect, test } from "vitest";
import { byteUnitOf, formatBytes, formatRate, parseBytes } from "../../../src/web/format/bytes.ts";

const GIB = 1024 ** 3;

test.each([
  [0, "0 B"],
  [1023, "1,023 B"],
  [1536, "1.5 KiB"],
  [50 * GIB, "50 GiB"],
  [1.25 * GIB, "1.25 GiB"],
  [1024 * GIB - 1, "1 TiB"],
  [123.4 * GIB, "123 GiB"],
])("%d bytes are shown as %s", (bytes, shown) => {
  expect(formatBytes(bytes, "en-GB").replaceAll("\u00a0", " ")).toBe(shown);
});

test("digits are the language's, the unit stays", () => {
  expect(formatBytes(50 * GIB, "fa-IR")).toBe("۵۰\u00a0GiB");
});

test("a rate is a quantity in a second", () => {
  expect(formatRate(1024 ** 2, "en-GB")).toBe("1\u00a0MiB/s");
});

test.each([
  ["50", 50 * GIB],
  ["50 GB", 50 * GIB],
  ["1.5g", 1.5 * GIB],
  ["1,5", 1.5 * GIB],
  ["200 MiB", 200 * 1024 ** 2],
  ["1,024 M", GIB],
  ["۵۰", 50 * GIB],
  ["7 B", 7],
])("%s typed into a field of GiB is understood", (typed, bytes) => {
  expect(parseBytes(typed, "GiB")).toBe(bytes);
});

test.each(["", "many", "12 apples", "1e400", "-3", "999999999 TB"])("%s is no quantity", (typed) => {
  expect(parseBytes(typed, "GiB")).toBeUndefined();
});

test("a quantity's unit is the largest of which there is one", () => {
  expect([byteUnitOf(0), byteUnitOf(1023), byteUnitOf(1024), byteUnitOf(GIB)]).toEqual(["B", "B", "KiB", "GiB"]);
});
