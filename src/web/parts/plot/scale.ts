// From values to places in a drawing. Pure.

export interface PlotPoint {
  /** Unix seconds. */
  readonly at: number;
  /** Null: nothing is known of that moment. */
  readonly value: number | null;
}

export interface PlotSeries {
  readonly id: string;
  readonly name: string;
  /** In the order of time. */
  readonly points: readonly PlotPoint[];
}

/** Moments of all series, once each, in order. */
export function momentsOf(series: readonly PlotSeries[]): readonly number[] {
  return [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted((a, b) => a - b);
}

/** One row for each moment: what each series says of it. A moment that a series lacks is not known. */
export interface PlotRow {
  readonly at: number;
  readonly values: readonly (number | null)[];
}

export function rowsOf(series: readonly PlotSeries[]): readonly PlotRow[] {
  const known = series.map(({ points }) => new Map(points.map(({ at, value }) => [at, value])));
  return momentsOf(series).map((at) => ({ at, values: known.map((values) => values.get(at) ?? null) }));
}

/** Rows with each series on top of those before it. Where nothing is known of one, the others stand without it. */
export function stacked(rows: readonly PlotRow[]): readonly PlotRow[] {
  return rows.map(({ at, values }) => {
    let below = 0;
    return { at, values: values.map((value) => (value === null ? null : (below += value))) };
  });
}

/** Round steps from 0 up to at least `most`; `base` 1024 for bytes. */
export function ticks(most: number, count = 4, base: 10 | 1024 = 10): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / count;
  const unit =
    base === 10
      ? 10 ** Math.floor(Math.log10(rough))
      : 1024 ** Math.max(0, Math.floor(Math.log(rough) / Math.log(1024)));
  const ratio = rough / unit;
  const steps =
    base === 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 512, 1024];
  const step = unit * (steps.find((each) => each >= ratio) ?? base);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Runs of neighbouring known values: a gap is no line. */
export function runsOf(rows: readonly PlotRow[], series: number): readonly (readonly PlotRow[])[] {
  const runs: PlotRow[][] = [];
  let open: PlotRow[] | undefined;
  for (const row of rows) {
    if ((row.values[series] ?? null) === null) open = undefined;
    else if (open) open.push(row);
    else runs.push((open = [row]));
  }
  return runs;
}

/** The moment nearest to a place; undefined without any. */
export function nearest(rows: readonly PlotRow[], at: number): number | undefined {
  let best: number | undefined;
  for (const [index, row] of rows.entries())
    if (best === undefined || Math.abs(row.at - at) < Math.abs((rows[best]?.at ?? 0) - at)) best = index;
  return best;
}
