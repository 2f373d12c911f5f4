// Tables as text for spreadsheets (RFC 4180), which calculate what looks like a formula: a cell that begins like one is
// marked as text.

/**
 * Also the wide signs of Chinese and Japanese keyboards, which some programs take for the narrow ones; tab and line
 * ends, behind which some look for a sign; and what has the mark already, so that `unmarked` gives back what was there.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const QUOTED = /[",\r\n]/;

export type CsvCell = string | number | boolean;

function cell(value: CsvCell): string {
  if (typeof value !== "string") return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One row with its line end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/**
 * The head line of a file. Its first character is the byte order mark: without one, spreadsheets take UTF-8 for their
 * own alphabet.
 */
export function csvHead(columns: readonly string[]): string {
  return `\uFEFF${csvLine(columns)}`;
}

/** A cell without the mark that `csvLine` gave it. */
export function unmarked(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
