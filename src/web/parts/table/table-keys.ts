// The keys of a list: j and k move, Enter opens, x selects, . opens the menu; an action's own key does it for the row under the cursor.
import { useState } from "react";
import { useKeys, type KeyMap } from "../../shell/keys.ts";
import { useWords } from "../../words/words.ts";
import type { RowAction } from "./columns.ts";
import { SEARCH_ID } from "./search-field.ts";

export interface TableKeys<T> {
  readonly rows: readonly T[];
  readonly open: ((row: T) => void) | undefined;
  readonly menu: ((row: T) => void) | undefined;
  readonly select: ((row: T) => void) | undefined;
  readonly actions: ((row: T) => readonly RowAction[]) | undefined;
  readonly page: (by: number) => void;
  /** What the list shows; when it changes the cursor is gone. */
  readonly place: string;
  readonly searchable: boolean;
}

/** The place of the row under the cursor, -1 = none. */
export function useTableKeys<T>({ rows, open, menu, select, actions, page, place, searchable }: TableKeys<T>): number {
  const words = useWords("parts");
  const [cursor, setCursor] = useState({ place, at: -1 });
  const at = cursor.place === place ? Math.min(cursor.at, rows.length - 1) : -1;
  const row = rows[at];
  const move = (to: number) => setCursor({ place, at: Math.max(0, Math.min(rows.length - 1, to)) });
  const on = (what: ((row: T) => void) | undefined) => ({
    run: () => row !== undefined && what?.(row),
    enabled: what !== undefined && row !== undefined,
  });
  const keys: Record<string, KeyMap[string]> = {
    j: { label: words.keyNext, run: () => move(at + 1), enabled: rows.length > 0 },
    k: { label: words.keyPrevious, run: () => move(at - 1), enabled: rows.length > 0 },
    enter: { label: words.keyOpen, ...on(open) },
    x: { label: words.keySelect, ...on(select) },
    ".": { label: words.keyMenu, ...on(menu) },
    "]": { label: words.keyNextPage, run: () => page(1) },
    "[": { label: words.keyPreviousPage, run: () => page(-1) },
    "/": { label: words.keySearch, run: () => document.querySelector<HTMLInputElement>(`#${SEARCH_ID}`)?.focus(), enabled: searchable },
  };
  for (const action of row === undefined ? [] : (actions?.(row) ?? [])) {
    if (action.key !== undefined && action.disabled === undefined) keys[action.key] = { label: action.label, run: action.run };
  }
  useKeys(keys);
  return at;
}
