// Views of a list that a person gave a name: search, filters, order and columns. Kept with the account.
import { useMemo } from "react";
import { useKept } from "../../browser/use-kept.ts";
import { readViews, type View } from "./read-views.ts";

export type { View } from "./read-views.ts";

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
