// All records of a collection, for choices and for what uses what. There are few: a thousand is what one answer
// carries.
import type { QueryValue } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";

const ALL: Readonly<Record<string, QueryValue>> = { limit: 1000 };

/** A kind of fragment is one; of records of another room a page says which fields it shows. */
interface Collection<T> {
  readonly list: string;
  readonly reads: string;
  readonly name?: (record: T) => string;
}

/** Undefined while they load, and for whoever may not read them. */
export function useAll<T>({ list, reads }: Collection<T>): readonly T[] | undefined {
  return useApi<Listing<T>>(list, ALL, { enabled: useCan()(reads) }).data?.items;
}
