// Medians, and tables of them, for the benches.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/** The value below which a share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export type Cell = string | number;

const shown = (cell: Cell) => {
  if (typeof cell === "string") return cell;
  return cell >= 100 ? Math.round(cell).toLocaleString("en") : cell.toPrecision(3);
};

/** Prints rows under headings, numbers to the right. */
export function printTable(title: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const texts = rows.map((row) => row.map(shown));
  const widths = headings.map((heading, index) => Math.max(heading.length, ...texts.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[], right: (index: number) => boolean) =>
    row.map((text, index) => (right(index) ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0))).join("  ");
  const numeric = (index: number) => rows.every((row) => typeof row[index] === "number");
  console.log(`\n${title}`);
  console.log(line(headings, numeric));
  for (const row of texts) console.log(line(row, numeric));
}
