// A list as a file: all rows that match, in the columns that are shown. Pure but for `saveText`.
import { csvHead, csvLine } from "../../../lib/csv.ts";
import { isoTime } from "../../../lib/moments.ts";
import type { Column } from "./columns.ts";

/** Rows as RFC 4180 lines, with a head. */
export function csvOf<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const written = columns.flatMap(({ header, text }) => (text ? [{ header, text }] : []));
  return [
    csvHead(written.map(({ header }) => header)),
    ...rows.map((row) => csvLine(written.map(({ text }) => text(row)))),
  ].join("");
}

/** Hands a text to the browser as a file. */
export function saveText(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}

/** Has the browser download an address of the panel, which names the file itself. */
export function fetchFile(address: string): void {
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = "";
  anchor.click();
}

/** A moment as a spreadsheet reads it, Unix seconds; 0 is none. */
export function isoOf(at: number): string {
  return at > 0 ? isoTime(at) : "";
}
