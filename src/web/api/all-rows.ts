// Everything that a list holds, page by page: for exports, and for selecting all that matches.
import { call, type QueryValue } from "./call.ts";
import type { Listing } from "./queries.ts";

/** As many as one answer of a list holds. */
export const MOST_AT_ONCE = 1000;

/** Up to `most` rows, each once, although rows may come and go while pages are read. */
export async function readAll<T extends { readonly id: number | string }>(
  path: string,
  query: Readonly<Record<string, QueryValue>>,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const rows = new Map<T["id"], T>();
  const limit = Math.min(MOST_AT_ONCE, most);
  for (let offset = 0; offset < most; offset += limit) {
    const { items, total } = await call<Listing<T>>("GET", path, { query: { ...query, limit, offset } });
    for (const row of items) rows.set(row.id, row);
    if (offset + limit >= total) break;
  }
  return [...rows.values()];
}
