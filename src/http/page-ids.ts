// In which order a list is, and the ids of one of its pages, said so that an index can serve them.
import { sql, type Query } from "../db/index.ts";
import { comesAfter, termsOf, type Keys, type Term } from "./keyset.ts";
import type { Condition, ListColumns, ListQuery, SortColumn } from "./list-query.ts";

/** What a list is sorted by; undefined: it has its own order. */
function sortOf({ sort }: ListQuery, columns: ListColumns): SortColumn | undefined {
  const chosen = sort === undefined ? undefined : columns.sorts?.[sort];
  return typeof chosen === "string" ? { by: chosen } : chosen;
}

/** The order of a list, of which no two rows are alike. */
export function orderTerms(list: ListQuery, columns: ListColumns): Term[] {
  const { descending } = list;
  const chosen = sortOf(list, columns);
  if (chosen === undefined) return termsOf(columns.order);
  const { by, emptyWhen } = chosen;
  const id = columns.id ?? "id";
  return [
    ...(emptyWhen === undefined ? [] : [{ by: `case when ${emptyWhen} then 1 else 0 end`, descending: false }]),
    { by, descending },
    ...(by === id ? [] : [{ by: id, descending }]),
  ];
}

function inOrder(terms: readonly Term[]): Query {
  return sql.raw(terms.map(({ by, descending }) => `${by} ${descending ? "desc" : "asc"}`).join(", "));
}

export function orderOf(list: ListQuery, columns: ListColumns): Query {
  return inOrder(orderTerms(list, columns));
}

/** What is found, from where the page begins on. */
export function afterLast(list: ListQuery, columns: ListColumns, found: Condition): Condition {
  const after = list.keyset?.after;
  return after === undefined ? found : both(found, comesAfter(orderTerms(list, columns), after));
}

/** The ids of a page of `count` rows: found in `from`, whose columns are called as `columns` says. */
export function pageIds(
  list: ListQuery,
  count: number,
  { from, columns }: { readonly from: string; readonly columns: ListColumns },
  found: Condition,
): Query {
  const sorted = sortOf(list, columns);
  const id = sql.raw(columns.id ?? "id");
  if (sorted?.emptyWhen === undefined || sorted.filledWhen === undefined)
    return sql`select ${id} from ${sql.raw(from)} where ${afterLast(list, columns, found)}
      order by ${orderOf(list, columns)} limit ${count} offset ${list.offset}`;
  const terms = orderTerms(list, columns).slice(1);
  const part = (empty: 0 | 1, when: string) =>
    sql`select * from (select ${id} as id, ${empty} as empty, ${sql.raw(sorted.by)} as value from ${sql.raw(from)}
      where ${both(both(found, sql<boolean>`${sql.raw(when)}`), afterWithin(empty, terms, list.keyset?.after))}
      order by ${inOrder(terms)} limit ${list.offset + count}) as part_${sql.raw(String(empty))}`;
  const direction = sql.raw(list.descending ? "desc" : "asc");
  return sql`select id from (${part(0, sorted.filledWhen)} union all ${part(1, sorted.emptyWhen)}) as parts
    order by empty, value ${direction}, id ${direction} limit ${count} offset ${list.offset}`;
}

/** Condition for the rows that come after a row of these keys, among rows with a value (0) or without one (1). */
function afterWithin(empty: 0 | 1, terms: readonly Term[], after: Keys | undefined): Condition {
  const [last, ...keys] = after ?? [-1];
  if (Number(last) < empty) return sql<boolean>`1 = 1`;
  return Number(last) > empty ? sql<boolean>`1 = 0` : comesAfter(terms, keys);
}

function both(one: Condition, other: Condition): Condition {
  return sql<boolean>`(${one} and ${other})`;
}
