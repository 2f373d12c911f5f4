// What a table is told of its columns and rows, and which columns a person keeps.
import { useMemo, type ReactNode } from "react";
import { useKept } from "../../browser/use-kept.ts";

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** What an export writes; absent: the column is not exported. */
  readonly text?: (row: T) => string | number | boolean;
  /** Value of the route's `sort`; absent: the column does not sort. */
  readonly sort?: string;
  /** Numbers stand at the end. */
  readonly align?: "start" | "end";
  /** CSS width; the rest share what is left. */
  readonly width?: number | string;
  /**
   * Where a card (phone) has it: in its first line (`title`, once), at that line's end (`corner`), as a line below (the
   * default), as one without its header (`bare`), as text of the last line (`under`), in that line with other controls
   * (`foot`), or nowhere.
   */
  readonly card?: "title" | "corner" | "line" | "bare" | "under" | "foot" | "none";
  /** Not shown until a person chooses it. */
  readonly optional?: boolean;
  /** Leaves the table when the window is narrower than this (px). */
  readonly above?: number;
}

/** What can be done with one row. */
export interface RowAction {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Single key that does it for the row under the cursor, as `useKeys` names keys. */
  readonly key?: string;
  readonly danger?: boolean;
  /** Has a button of its own on the record's page. */
  readonly button?: boolean;
  /** Why it cannot be done now. */
  readonly disabled?: string;
  readonly run: () => void;
}

type Choice = Readonly<Record<string, boolean>>;

function readChoice(text: string | null): Choice {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
    );
  } catch {
    return {};
  }
}

export interface ColumnChoice<T> {
  readonly shown: readonly Column<T>[];
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** What differs from the usual columns, and all of it at once. */
  readonly chosen: Choice;
  readonly put: (choice: Choice) => void;
}

/** The columns of a table as this person keeps them; the title column always stays. */
export function useColumnChoice<T>(table: string, columns: readonly Column<T>[]): ColumnChoice<T> {
  const [text, keep] = useKept(`columns.${table}`);
  const choice = useMemo(() => readChoice(text), [text]);
  const put = (next: Choice) => keep(JSON.stringify(next));
  const isShown = (column: Column<T>) => column.card === "title" || (choice[column.id] ?? column.optional !== true);
  return {
    shown: columns.filter(isShown),
    has: (id) => columns.some((column) => column.id === id && isShown(column)),
    toggle(id) {
      const column = columns.find((each) => each.id === id);
      if (!column) return;
      put({ ...choice, [id]: !isShown(column) });
    },
    chosen: choice,
    put,
  };
}

/** Row height, for all tables. */
export type Density = "compact" | "comfortable";

export function useDensity(): readonly [Density, (density: Density) => void] {
  const [text, keep] = useKept("density");
  return [text === "compact" ? "compact" : "comfortable", keep];
}
