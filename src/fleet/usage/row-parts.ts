// Processes the rows of a batch in parts and yields to other work between them: a batch may have 200,000 rows.
import { setImmediate as turn } from "node:timers/promises";
import { CELLS, type UsageCells } from "../../protocol/usage-rows.ts";

/** Rows of a part: some milliseconds at most. */
const PART = 4000;

/** `at`: index of the row's first cell. */
export async function eachRow(rows: UsageCells, visit: (at: number) => void): Promise<void> {
  for (let from = 0; from < rows.length; from += PART * CELLS) {
    if (from > 0) await turn();
    const to = Math.min(rows.length, from + PART * CELLS);
    for (let at = from; at < to; at += CELLS) visit(at);
  }
}

/** The rows that `keep` says yes to. */
export async function rowsWhere(rows: UsageCells, keep: (at: number) => boolean): Promise<UsageCells> {
  let kept = new Float64Array(PART * CELLS);
  let end = 0;
  await eachRow(rows, (at) => {
    if (!keep(at)) return;
    if (end === kept.length) {
      const larger = new Float64Array(2 * end);
      larger.set(kept);
      kept = larger;
    }
    for (let cell = 0; cell < CELLS; cell++) kept[end + cell] = rows[at + cell] ?? 0;
    end += CELLS;
  });
  return kept.subarray(0, end);
}
