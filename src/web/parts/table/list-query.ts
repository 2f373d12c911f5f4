// The state of a list (page, search, order, filters) in the address: shared by sending it, restored by Back.
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import type { QueryValue } from "../../api/call.ts";
import {
  addressOf,
  listParameters,
  readListState,
  writeListState,
  type ListChange,
  type ListDefaults,
  type ListState,
} from "./list-state.ts";

export interface ListQuery extends ListState {
  /** Whatever is not the page leads back to the first page. Typing replaces the history's entry, the rest adds one. */
  readonly set: (change: ListChange) => void;
  /** Takes away search and filters. */
  readonly reset: () => void;
  /** Whether a search or filter is set. */
  readonly filtered: boolean;
  /** Search, filters and order as the address writes them, without the page; and the way to such an address. */
  readonly address: string;
  readonly go: (address: string) => void;
  /** The parameters for `useApi`. */
  readonly api: Readonly<Record<string, QueryValue>>;
}

/** The list state of this page. `defaults` must stay the same object. */
export function useListQuery(defaults: ListDefaults): ListQuery {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  return useMemo(() => {
    const state = readListState(new URLSearchParams(text), defaults);
    const none = Object.fromEntries((defaults.filters ?? []).map((name) => [name, undefined]));
    const set = (change: ListChange) =>
      setSearch((now) => writeListState(now, defaults, change), {
        replace: change.q !== undefined && Object.keys(change).length === 1,
      });
    return {
      ...state,
      set,
      reset: () => set({ q: "", filters: none }),
      filtered: state.q !== "" || Object.keys(state.filters).length > 0,
      address: addressOf(text),
      go: (address) => setSearch(new URLSearchParams(address)),
      api: listParameters(state),
    };
  }, [text, defaults, setSearch]);
}
