// What a sparkline draws of its figures. Pure.

export interface SparkLine {
  /** Figures that follow each other, as points of a line: `0,20 4,2`. */
  readonly runs: readonly string[];
  /** Figures that stand alone, as columns from the ground up. */
  readonly columns: readonly { readonly x: number; readonly y: number }[];
  /** Where zero is drawn. */
  readonly ground: number;
}

/** Left free above and below, for the line's own width. */
const EDGE = 2;

/** `values`: null where nothing is known. */
export function sparkLine(values: readonly (number | null)[], width: number, height: number): SparkLine {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = width / Math.max(values.length - 1, 1);
  const ground = height - EDGE;
  const runs: string[] = [];
  const columns: { x: number; y: number }[] = [];
  let run: { x: number; y: number }[] = [];
  for (const [index, value] of [...values, null].entries()) {
    if (value !== null) {
      run.push({ x: index * step, y: ground - (value / most) * (ground - EDGE) });
      continue;
    }
    if (run.length === 1) columns.push(...run);
    else if (run.length > 1) runs.push(run.map(({ x, y }) => `${x},${y}`).join(" "));
    run = [];
  }
  return { runs, columns, ground };
}
