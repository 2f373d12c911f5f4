// Which accounts a bulk operation is about: the list's filters, looked at when an account's turn comes, up to the
// largest id that there was when it was asked for (rule jobs.bulk.1).
import { sql, type Query } from "../../db/index.ts";
import { allOf, type Condition, type Owning } from "../../http/index.ts";
import { userFilter, type FilterDeps, type UserFilters } from "../users/user-filters.ts";

/** The selection of one request, as its schemas gave it. */
export interface Selection {
  /** The caller: a reseller selects only its own accounts, also when it becomes an operator meanwhile. */
  readonly owner: Owning;
  readonly filters: UserFilters;
  readonly q?: string | undefined;
  readonly updatedSince?: number | undefined;
  /** Ids were named beside the filters. */
  readonly named: boolean;
}

interface Found {
  readonly from: Query;
  readonly where: readonly Condition[];
}

/** Throws 404 for a node that there is not (any more). */
export async function foundBy(deps: FilterDeps, { owner, filters, q, updatedSince }: Selection): Promise<Found> {
  const { where, usage } = await userFilter(deps, owner, filters);
  return {
    from: usage ? sql`users u join user_usage g on g.id = u.id` : sql`users u`,
    where: [
      ...where,
      ...(q === undefined || q === "" ? [] : [(await deps.search.of(q)).each]),
      ...(updatedSince === undefined ? [] : [sql<boolean>`u.updated_at >= ${updatedSince}`]),
    ],
  };
}

/** The next accounts behind `cursor`, in order. */
export async function nextSelected(
  deps: FilterDeps,
  selection: Selection,
  { cursor, upTo }: { readonly cursor: number; readonly upTo: number },
  limit: number,
): Promise<number[]> {
  const { from, where } = await foundBy(deps, selection);
  const rows = await deps.reads.query<{ id: number | string }>(
    sql`select u.id from ${from} where u.id > ${cursor} and u.id <= ${upTo} and ${allOf(where)}
      order by u.id limit ${limit}`,
    where.length > 0 ? { scans: true } : {},
  );
  return rows.map(({ id }) => Number(id));
}

export async function countSelected(deps: FilterDeps, selection: Selection, upTo: number): Promise<number> {
  const { from, where } = await foundBy(deps, selection);
  const [row] = await deps.reads.query<{ n: number | string }>(
    sql`select count(*) as n from ${from} where u.id <= ${upTo} and ${allOf(where)}`,
    { scans: true },
  );
  return Number(row?.n ?? 0);
}

/** Looks up named accounts. `ids`: those that the filters select; `missing`: those that do not exist for the caller. */
export async function amongNamed(
  deps: FilterDeps,
  selection: Selection,
  ids: readonly number[],
): Promise<{ readonly ids: number[]; readonly missing: number[] }> {
  const { from, where } = await foundBy(deps, selection);
  const own = await foundBy(deps, { ...selection, filters: {}, q: undefined, updatedSince: undefined });
  const among = sql<boolean>`u.id in (${sql.join([...ids])})`;
  const find = async (found: Query, conditions: readonly Condition[]) => {
    const rows = await deps.reads.query<{ id: number | string }>(
      sql`select u.id from ${found} where ${among} and ${allOf(conditions)}`,
    );
    return new Set(rows.map(({ id }) => Number(id)));
  };
  const [selected, there] = await Promise.all([find(from, where), find(own.from, own.where)]);
  return { ids: ids.filter((id) => selected.has(id)), missing: ids.filter((id) => !there.has(id)) };
}

/** The largest id that there is. */
export async function newestUser({ reads }: Pick<FilterDeps, "reads">): Promise<number> {
  const [row] = await reads.query<{ id: number | string | null }>(sql`select max(id) as id from users`);
  return Number(row?.id ?? 0);
}
