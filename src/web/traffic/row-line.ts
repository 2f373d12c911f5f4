// What the small line of a row draws and says. Pure.

/** A row of the answer: bytes of each step, null where nothing is known. */
export interface SparklinesRow {
  readonly id: number;
  readonly up: readonly (number | null)[];
  readonly down: readonly (number | null)[];
}

export interface Line {
  readonly values: readonly (number | null)[];
  readonly sum: number;
  /** The busiest step. */
  readonly most: number;
  /** Steps of which nothing is known. */
  readonly unknown: number;
}

export function lineOf({ up, down }: Omit<SparklinesRow, "id">): Line {
  const values = up.map((bytes, step) => {
    const other = down[step];
    return bytes === null || other === null || other === undefined ? null : bytes + other;
  });
  const known = values.filter((value) => value !== null);
  return {
    values,
    sum: known.reduce((sum, value) => sum + value, 0),
    most: Math.max(0, ...known),
    unknown: values.length - known.length,
  };
}
