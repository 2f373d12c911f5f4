// Views of a list that a person gave a name: search, filters, order and columns. Kept with the account, as text that is
// read with care.
import { useMemo } from "react";
import { useKept } from "../../browser/use-kept.ts";

export interface View {
  readonly name: string;
  /** Search, filters and order, as the list's address writes them. */
  readonly address: string;
  /** The columns that were chosen away from the usual ones. */
  readonly columns: Readonly<Record<string, boolean>>;
}

export interface Views {
  readonly all: readonly View[];
  /** One of the same name is replaced. */
  readonly keep: (view: View) => void;
  readonly drop: (name: string) => void;
}

export function useViews(table: string): Views {
  const [text, keep] = useKept(`views.${table}`);
  const all = useMemo(() => readViews(text), [text]);
  const put = (next: readonly View[]) => keep(JSON.stringify(next));
  return {
    all,
    keep: (view) => put([...all.filter(({ name }) => name !== view.name), view]),
    drop: (dropped) => put(all.filter(({ name }) => name !== dropped)),
  };
}

/** What is kept of what was read; whatever is no view is left out. Pure. */
export function readViews(text: string | null): readonly View[] {
  if (text === null) return [];
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    // Written by something else: there are no views.
    return [];
  }
}

function isView(value: unknown): value is View {
  if (
    typeof value !== "object" ||
    value === null ||
    !("name" in value) ||
    !("address" in value) ||
    !("columns" in value)
  )
    return false;
  const { name, address, columns } = value;
  const chosen =
    typeof columns === "object" &&
    columns !== null &&
    Object.values(columns).every((each) => typeof each === "boolean");
  return typeof name === "string" && typeof address === "string" && chosen;
}
