// The keys of a list: j and k move, Enter opens, x selects (with Shift all from the last one), . opens the menu; an
// action's own key does it for the row under the cursor.
import { useState } from "react";
import { useKeys, type KeyMap } from "../../browser/keys.ts";
import { useWords } from "../../words/words.ts";
import type { RowAction } from "./columns.ts";
import { SEARCH_ID } from "./search-field.ts";
import type { RowKey } from "./selection.ts";

export interface TableKeys<T> {
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => RowKey;
  readonly open: ((row: T) => void) | undefined;
  readonly menu: ((row: T) => void) | undefined;
  readonly select: ((row: T, through: boolean) => void) | undefined;
  /** Takes the selection away; absent while there is none. */
  readonly clear: (() => void) | undefined;
  readonly actions: ((row: T) => readonly RowAction[]) | undefined;
  readonly page: (by: number) => void;
  /** What the list shows; when it changes the cursor is gone. */
  readonly place: string;
  readonly searchable: boolean;
}

/**
 * The place of the row under the cursor, -1 = none. The cursor follows its row when updates move it, so a key never
 * acts on another row.
 */
export function useTableKeys<T>(table: TableKeys<T>): number {
  const { rows, rowKey, open, menu, select, clear, actions, page, place, searchable } = table;
  const words = useWords("parts");
  const [cursor, setCursor] = useState<{ place: string; key: RowKey | undefined; at: number }>({
    place,
    key: undefined,
    at: -1,
  });
  const mine = cursor.place === place;
  const at = mine && cursor.key !== undefined ? rows.findIndex((row) => rowKey(row) === cursor.key) : -1;
  const row = rows[at];
  // When the row of the cursor is gone, its place stays: the keys go on from there.
  const from = at === -1 && mine ? cursor.at : at;
  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    const target = rows[next];
    if (target !== undefined) setCursor({ place, key: rowKey(target), at: next });
  };
  const on = (what: ((row: T) => void) | undefined) => ({
    run: () => row !== undefined && what?.(row),
    enabled: what !== undefined && row !== undefined,
  });
  const keys: Record<string, KeyMap[string]> = {
    j: { label: words.keyNext, run: () => move(from + 1), enabled: rows.length > 0 },
    k: { label: words.keyPrevious, run: () => move(from - 1), enabled: rows.length > 0 },
    enter: { label: words.keyOpen, ...on(open) },
    x: { label: words.keySelect, ...on(select && ((each) => select(each, false))) },
    "shift+x": { label: words.keySelectThrough, ...on(select && ((each) => select(each, true))) },
    esc: { label: words.clearSelection, run: () => clear?.(), enabled: clear !== undefined },
    ".": { label: words.keyMenu, ...on(menu) },
    "]": { label: words.keyNextPage, run: () => page(1) },
    "[": { label: words.keyPreviousPage, run: () => page(-1) },
    "/": {
      label: words.keySearch,
      run: () => document.querySelector<HTMLInputElement>(`#${SEARCH_ID}`)?.focus(),
      enabled: searchable,
    },
  };
  for (const action of row === undefined ? [] : (actions?.(row) ?? [])) {
    if (action.key !== undefined && action.disabled === undefined)
      keys[action.key] = { label: action.label, run: action.run };
  }
  useKeys(keys);
  return at;
}
