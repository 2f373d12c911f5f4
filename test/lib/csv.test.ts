// Tables as text: a spreadsheet must not calculate what strangers wrote.
import { expect, test } from "vitest";
import { csvLine, unmarked } from "../../src/lib/csv.ts";

test.each([
  ["anna", "anna"],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["＝1+1", "'＝1+1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\n=1", '"\'\n=1"'],
  ["\r=1", '"\'\r=1"'],
  ["'=1", "''=1"],
  ["'tis", "'tis"],
  ['a "b", c', '"a ""b"", c"'],
])("%j is written as %j", (text, cell) => {
  expect(csvLine([text, -1, true])).toBe(`${cell},-1,true\r\n`);
});

// rule jobs.export.1
test.each(["=1", "＋1", "'＋1", "'=1", "''-1", "'tis", "plain", "'", "", "\t@x"])("%j comes back", (text) => {
  expect(unmarked(FIRST.exec(csvLine([text]))?.[1]?.replaceAll('""', '"') ?? "none")).toBe(text);
});

const FIRST = /^"?([^]*?)"?\r\n$/;
