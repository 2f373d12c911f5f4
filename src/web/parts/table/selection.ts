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
}

/** `shown`: the rows of the page. */
export function useSelection<T>(shown: readonly T[], keyOf: (row: T) => RowKey): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<RowKey, T>>(new Map());
  const [last, setLast] = useState<RowKey>();
  const put = (rows: readonly T[], on: boolean) =>
    setChosen((before) => {
      const now = new Map(before);
      for (const row of rows) {
        if (on) now.set(keyOf(row), row);
        else now.delete(keyOf(row));
      }
      return now;
    });
  const fresh = new Map(shown.map((row) => [keyOf(row), row]));
  return {
    rows: [...chosen].map(([key, row]) => fresh.get(key) ?? row),
    has: (row) => chosen.has(keyOf(row)),
    toggle(row, through) {
      put(through ? stretch(shown, keyOf, last, row) : [row], !chosen.has(keyOf(row)));
      setLast(keyOf(row));
    },
    put,
    keep: (rows) => setChosen(new Map(rows.map((row) => [keyOf(row), row]))),
  };
}
