// Rows as a table on a terminal. Pure: rows, the time and the width in, lines out.
import { cut, widthOf, type Colour, type Paint } from "../paint.ts";

export interface Look {
  readonly paint: Paint;
  /** Unix seconds. */
  readonly now: number;
  /** Width of the terminal. */
  readonly columns: number;
}

export interface Column<R> {
  readonly head: string;
  readonly text: (row: R, now: number) => string;
  readonly colour?: (row: R) => Colour | undefined;
  /** Cut to no less than this where the lines are too long; absent: never cut. */
  readonly least?: number;
}

const GAP = "  ";

/** A line a row below the names of the columns. */
export function rowLines<R>(shown: readonly Column<R>[], rows: readonly R[], { paint, now, columns }: Look): string[] {
  const cells = rows.map((row) => shown.map(({ text }) => text(row, now)));
  const widths = fitted(
    shown,
    shown.map(({ head }, index) => Math.max(head.length, ...cells.map((row) => widthOf(row[index] ?? "")))),
    columns,
  );
  const line = (texts: readonly string[], colour: (index: number) => Colour | undefined) =>
    texts
      .map((text, index) => {
        const fit = cut(text, widths[index] ?? 0);
        const chosen = colour(index);
        const last = index === texts.length - 1;
        return (chosen ? paint(chosen, fit) : fit) + (last ? "" : " ".repeat((widths[index] ?? 0) - widthOf(fit)));
      })
      .join(GAP);
  return [
    line(
      shown.map(({ head }) => head),
      () => "dim",
    ),
    ...rows.map((row, at) => line(cells[at] ?? [], (index) => shown[index]?.colour?.(row))),
  ];
}

/** How many there are in all: `3 actors`, `100 of 2500 actors`. */
export function countLine(shown: number, total: number, one: string, { paint }: Pick<Look, "paint">): string {
  const many = `${one}s`;
  return paint("dim", shown === total ? `${total} ${total === 1 ? one : many}` : `${shown} of ${total} ${many}`);
}

/** Widths of columns that fit the line, as far as columns may be cut. */
function fitted(shown: readonly Pick<Column<never>, "least">[], widths: readonly number[], columns: number): number[] {
  const fit = [...widths];
  let over = fit.reduce((sum, width) => sum + width, 0) + GAP.length * (fit.length - 1) - columns;
  for (const [index, { least }] of [...shown.entries()].toReversed()) {
    if (over <= 0) break;
    if (least === undefined) continue;
    const given = Math.min(over, Math.max(0, (fit[index] ?? 0) - least));
    fit[index] = (fit[index] ?? 0) - given;
    over -= given;
  }
  return fit;
}
