// Rows of usage: lists of five numbers as they travel, one block of numbers once they are read. A block is walked
// without making anything, and is given from thread to thread as it is.
import { z } from "zod";
import { issueBelow } from "./bulk.ts";

/** User, inbound, bytes up, bytes down, Unix second of the last traffic. Raw bytes, no multiplier. */
const Count = z.int().nonnegative();
export const UsageRow = z.tuple([z.int().positive(), z.int().positive(), Count, Count, Count]);
export type UsageRow = z.infer<typeof UsageRow>;

/** The same as `UsageRow`, for the rows of a large batch; a test holds them together. */
export function isUsageRow(value: unknown): value is UsageRow {
  if (!Array.isArray(value) || value.length !== 5) return false;
  for (const cell of value) if (!Number.isSafeInteger(cell) || cell < 0) return false;
  return value[0] > 0 && value[1] > 0;
}

/** Cells of a row, one row after the other: the row `at` begins with its user at `cells[at]`. */
export type UsageCells = Float64Array<ArrayBuffer>;
export const CELLS = 5;

/** At most so many rows, read to the first wrong one. */
export function usageRows(max: number) {
  return z
    .custom<UsageRow[]>((value) => Array.isArray(value), "expected a list")
    .transform((rows: readonly unknown[], context): UsageCells => {
      if (rows.length > max) {
        context.addIssue({ code: "custom", message: `expected 0 to ${max} items, received ${rows.length}` });
        return z.NEVER;
      }
      const cells = new Float64Array(rows.length * CELLS);
      for (let index = 0; index < rows.length; index++) {
        const row = rows[index];
        if (!isUsageRow(row)) {
          context.addIssue(issueBelow(index, UsageRow.safeParse(row).error));
          return z.NEVER;
        }
        cells.set(row, index * CELLS);
      }
      return cells;
    });
}
