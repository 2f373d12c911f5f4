// What a list offers, what a request asks of it, and the page that answers.
import type { Query } from "../db/index.ts";
import type { Keyset } from "./keyset.ts";

/**
 * A column to sort by: a column name or an SQL expression over the list's tables. `emptyWhen` puts rows for which it is
 * true last in either direction.
 */
export interface SortColumn {
  readonly by: string;
  /** SQL condition, for example `expiry = 0`. */
  readonly emptyWhen?: string;
  /**
   * The opposite, as a range that an index over `by` and the id can walk through: what has a value and what has none is
   * then read apart, each in the index's order.
   */
  readonly filledWhen?: string;
}

/**
 * What a list offers. Names of columns are SQL names (snake_case), with the alias where the query joins. They are code,
 * never input.
 */
export interface ListColumns<S extends string = string> {
  /** Text columns (or expressions) that `q` searches. */
  readonly q: readonly string[];
  /** Keys that a search may be as a whole, in small letters: looked at only where it has their form. */
  readonly keys?: { readonly form: RegExp; readonly by: readonly string[] };
  /** Column of `updated_since`; absent where the resource has none: the parameter is then ignored. */
  readonly updatedAt?: string;
  /** Values of `sort`; absent: the list has no `sort`/`order`. */
  readonly sorts?: Readonly<Record<S, SortColumn | string>>;
  /** Order without `sort`, as SQL: `sort_order, id`, `id desc`. Must be total. */
  readonly order: string;
  /** Final tiebreaker of every sort; `id` unless said. */
  readonly id?: string;
}

/** The list parameters of one request, checked. */
export interface ListQuery<S extends string = string> {
  readonly columns: ListColumns<S>;
  /** Absent: unlimited (`/api` only). */
  readonly limit: number | undefined;
  readonly offset: number;
  readonly q: string | undefined;
  readonly updatedSince: number | undefined;
  readonly sort: S | undefined;
  readonly descending: boolean;
  /** Where the page begins after another; it goes without where a route has a cursor of its own. */
  readonly keyset?: Keyset;
}

export interface Page<R> {
  readonly rows: readonly R[];
  /** Rows without paging. */
  readonly total: number;
}

export type Condition = Query<boolean>;
