// The state of a list as its address writes it, and as its route is asked. Pure.

export type SortOrder = "asc" | "desc";

export interface ListState {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly q: string;
  /** As the route names it; empty: the route's own order. */
  readonly sort: string;
  readonly order: SortOrder;
  /** By wire name; a filter that is not set is absent. */
  readonly filters: Readonly<Record<string, string>>;
}

export interface ListDefaults {
  readonly limit?: number;
  readonly sort?: string;
  readonly order?: SortOrder;
  /** Wire names of the filters that the address may carry. */
  readonly filters?: readonly string[];
}

/** What may change at once; `undefined` or empty as a filter's value takes it away. */
export interface ListChange {
  readonly page?: number;
  readonly limit?: number;
  readonly q?: string;
  readonly sort?: string;
  readonly order?: SortOrder;
  readonly filters?: Readonly<Record<string, string | undefined>>;
}

const USUAL_LIMIT = 50;
const MOST = 1000;

/** The state that an address names; what it says wrong is the default. */
export function readListState(search: URLSearchParams, defaults: ListDefaults): ListState {
  const whole = (name: string, usual: number, most: number) => {
    const value = Number(search.get(name) ?? "");
    return Number.isInteger(value) && value >= 1 && value <= most ? value : usual;
  };
  const order = search.get("order");
  const filters = (defaults.filters ?? []).flatMap((name) => {
    const value = search.get(name) ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  return {
    page: whole("page", 1, Number.MAX_SAFE_INTEGER),
    limit: whole("limit", defaults.limit ?? USUAL_LIMIT, MOST),
    q: search.get("q") ?? "",
    sort: search.get("sort") ?? defaults.sort ?? "",
    order: order === "asc" || order === "desc" ? order : (defaults.order ?? "asc"),
    filters: Object.fromEntries(filters),
  };
}

/** The address after a change; defaults are left out, parameters of others stay. */
export function writeListState(search: URLSearchParams, defaults: ListDefaults, change: ListChange): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string, usual: string) =>
    value === usual || value === "" ? next.delete(name) : next.set(name, value);
  if (Object.keys(change).some((name) => name !== "page")) next.delete("page");
  if (change.page !== undefined) put("page", String(change.page), "1");
  if (change.limit !== undefined) put("limit", String(change.limit), String(defaults.limit ?? USUAL_LIMIT));
  if (change.q !== undefined) put("q", change.q, "");
  if (change.sort !== undefined) put("sort", change.sort, defaults.sort ?? "");
  if (change.order !== undefined) {
    // The usual order belongs to the usual column only.
    const usual = (next.get("sort") ?? defaults.sort ?? "") === (defaults.sort ?? "") ? (defaults.order ?? "asc") : "";
    put("order", change.order, usual);
  }
  for (const [name, value] of Object.entries(change.filters ?? {})) put(name, value ?? "", "");
  return next;
}

/** What a URL says about a list, in addition to the open page. */
export function addressOf(text: string): string {
  const search = new URLSearchParams(text);
  search.delete("page");
  search.sort();
  return search.toString();
}

/** The parameters of the list's route. */
export function listParameters({ page, limit, q, sort, order, filters }: ListState): Record<string, string | number> {
  const sorted = sort === "" ? {} : { sort, order };
  return { limit, offset: (page - 1) * limit, ...(q === "" ? {} : { q }), ...sorted, ...filters };
}
