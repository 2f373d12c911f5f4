// Medians, and tables of them, for the benches.

/** The middle of the values; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/** The value below which a share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The median of one figure of several runs. */
export function medianOf<T>(runs: readonly T[], pick: (run: T) => number): number {
  return median(runs.map(pick));
}

const brief = (value: number) => (value >= 10 ? thousands(Math.round(value)) : value.toPrecision(2));

/** `61 %`. */
export const percent = (part: number, whole: number): string => `${brief((100 * part) / whole)} %`;

/** `8.3 x`. */
export const times = (part: number, whole: number): string => `${brief(part / whole)} x`;

export const thousands = (count: number): string => count.toLocaleString("en");

export type Cell = string | number;

const shown = (cell: Cell) => {
  if (typeof cell === "string") return cell;
  if (cell >= 100) return Math.round(cell).toLocaleString("en");
  return Number.isInteger(cell) ? String(cell) : cell.toPrecision(3);
};

/** Prints rows under headings, numbers to the right. */
export function printTable(title: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const texts = rows.map((row) => row.map(shown));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...texts.map((row) => row[index]?.length ?? 0)),
  );
  const numeric = headings.map((_, index) =>
    rows.every((row) => typeof row[index] === "number" || /^(|[\d.,]+( [%x])?)$/.test(String(row[index]))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, index) => (numeric[index] ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)))
      .join("  ")
      .trimEnd();
  console.log(`\n${title}`);
  console.log(line(headings));
  for (const row of texts) console.log(line(row));
}
