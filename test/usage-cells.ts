// Rows of usage as a block of numbers, as the panel reads them, and back.
import { CELLS, type UsageCells, type UsageRow } from "../src/protocol/usage-rows.ts";

export function cellsOf(rows: readonly (readonly number[])[]): UsageCells {
  const cells = new Float64Array(rows.length * CELLS);
  for (const [index, row] of rows.entries()) cells.set(row, index * CELLS);
  return cells;
}

export function rowsOf(cells: UsageCells): UsageRow[] {
  return Array.from(
    { length: cells.length / CELLS },
    (_, row) => [...cells.subarray(row * CELLS, (row + 1) * CELLS)] as UsageRow,
  );
}
