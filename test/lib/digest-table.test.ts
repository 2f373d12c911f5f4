// Numbers of very many texts, by digests of these.
import { expect, test } from "vitest";
import { DigestTable } from "../../src/lib/digest-table.ts";

test("a text has the number that it was given last, among more than fit at first", () => {
  const table = new DigestTable(10_000);
  for (let at = 0; at < 5000; at++) table.set(`text ${at}`, -at);
  for (let at = 0; at < 5000; at += 2) table.set(`text ${at}`, at * 2 ** 32);
  expect(table.size).toBe(5000);
  for (let at = 0; at < 5000; at++) expect(table.get(`text ${at}`)).toBe(at % 2 === 0 ? at * 2 ** 32 : -at);
  expect(table.get("text 5000")).toBeUndefined();
});

test("texts beyond the most are not kept, those before are", () => {
  const table = new DigestTable(2000);
  for (let at = 0; at < 3000; at++) table.set(String(at), at + 1);
  table.set("7", 70);
  expect([table.size, table.get("7"), table.get("1999"), table.get("2000")]).toEqual([2000, 70, 2000, undefined]);
});
