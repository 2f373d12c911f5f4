// Which rows of a list are selected. They stay so while pages are turned; with Shift a whole stretch is taken.
import { useState } from "react";

/** What tells a row from the others. */
export type RowKey = string | number;

/** The rows from one to another, both included, whichever comes first; without the first: the second alone. Pure. */
export function stretch<T>(
  rows: readonly T[],
  keyOf: (row: T) => RowKey,
  from: RowKey | undefined,
  to: T,
): readonly T[] {
  const [a, b] = [rows.findIndex((row) => keyOf(row) === from), rows.indexOf(to)];
  return a === -1 || b === -1 ? [to] : rows.slice(Math.min(a, b), Math.max(a, b) + 1);
}

export interface Selection<T> {
  /** As the rows were when they were selected, or as the page shows them now. */
  readonly rows: readonly T[];
  readonly has: (row: T) => boolean;
  /** `through`: with all rows since the one before. */
  readonly toggle: (row: T, through: boolean) => void;
  readonly put: (rows: readonly T[], on: boolean) => void;
  /** These and no others. */
  readonly keep: (rows: readonly T[]) => void;
  /** All that match are meant, as many as they are, read or not. */
  readonly matching: boolean;
  readonly match: () => void;
}

/** `shown`: the rows of the page. `filters`: what decides which rows match; with others, nobody asked for all. */
export function useSelection<T>(shown: readonly T[], keyOf: (row: T) => RowKey, filters: string): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<RowKey, T>>(new Map());
  const [matched, setMatched] = useState<string>();
  // The choice of all matching rows ends when the filters change: a return to the former filters does not bring it
  // back.
  if (matched !== undefined && matched !== filters) setMatched(undefined);
  const matching = matched === filters && chosen.size > 0;
  const [last, setLast] = useState<RowKey>();
  const keep = (rows: readonly T[]) => {
    setMatched(undefined);
    setChosen(new Map(rows.map((row) => [keyOf(row), row])));
  };
  const put = (rows: readonly T[], on: boolean) => {
    setMatched(undefined);
    setChosen((before) => {
      const now = new Map(before);
      for (const row of rows) {
        if (on) now.set(keyOf(row), row);
        else now.delete(keyOf(row));
      }
      return now;
    });
  };
  const fresh = new Map(chosen.size === 0 ? [] : shown.map((row) => [keyOf(row), row]));
  return {
    rows: [...chosen].map(([key, row]) => fresh.get(key) ?? row),
    has: (row) => matching || chosen.has(keyOf(row)),
    toggle(row, through) {
      // Unticking a row while all matching rows are selected keeps only the other rows of this page.
      if (matching) keep(shown.filter((each) => keyOf(each) !== keyOf(row)));
      else put(through ? stretch(shown, keyOf, last, row) : [row], !chosen.has(keyOf(row)));
      setLast(keyOf(row));
    },
    put,
    keep,
    matching,
    match: () => setMatched(filters),
  };
}
