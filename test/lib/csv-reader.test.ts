// Tables as text, read in pieces: the same records however the text is cut.
import { expect, test } from "vitest";
import { CsvReader } from "../../src/lib/csv-reader.ts";

function read(text: string, piece: number, most = 100) {
  const reader = new CsvReader(most);
  const records = [];
  for (let at = 0; at < text.length; at += piece) records.push(...reader.push(text.slice(at, at + piece)));
  return [...records, ...reader.end()].map(({ line, cells }) => [line, cells]);
}

test.each([1, 2, 3, 1000])("records in pieces of %i characters", (piece) => {
  expect(read('name,desc\r\nanna,"a ""b"", c"\r\n\r\n"two\r\nlines",x\n"",last', piece)).toEqual([
    [1, ["name", "desc"]],
    [2, ["anna", 'a "b", c']],
    [4, ["two\r\nlines", "x"]],
    [6, ["", "last"]],
  ]);
  expect(read("name;group\nanna;a,b\n", piece)).toEqual([
    [1, ["name", "group"]],
    [2, ["anna", "a,b"]],
  ]);
});

test("a record that is too long is told without its cells, and the next one is read", () => {
  expect(read(`name\n"${"x".repeat(50)}\n${"y".repeat(500)}"\nanna\n`, 7, 60)).toEqual([
    [1, ["name"]],
    [2, undefined],
    [4, ["anna"]],
  ]);
});
