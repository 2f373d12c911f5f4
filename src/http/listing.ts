// Lists, once for all routes (document 1, common rule 2): what a list declares, how its parameters are read, and one page query with one count.
import { z } from "zod";
import { sql, type Entity, type Query, type Reader } from "../db/index.ts";
import { Refusal } from "./errors.ts";
import { queryCount } from "./wire.ts";

/** A column to sort by: a column name or an SQL expression over the list's tables. `nullsLast` puts rows for which it is true last in either direction. */
export interface SortColumn {
  readonly by: string;
  /** SQL condition, for example `expiry = 0`. */
  readonly emptyWhen?: string;
}

/** What a list offers. Names of columns are SQL names (snake_case), with the alias where the query joins. They are code, never input. */
export interface ListColumns<S extends string = string> {
  /** Text columns (or expressions) that `q` searches. */
  readonly q: readonly string[];
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
}

export interface Page<R> {
  readonly rows: readonly R[];
  /** Rows without paging. */
  readonly total: number;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

export type Surface = "api" | "v1";

/** Schema of a list's own query parameters; used for checking and for the description. */
export function listParameters(columns: ListColumns, surface: Surface) {
  const limit = queryCount.refine((value) => value > 0, "must be at least 1");
  const sorts = Object.keys(columns.sorts ?? {});
  return z.object({
    limit: (surface === "v1" ? limit.refine((value) => value <= MAX_LIMIT, `must be at most ${MAX_LIMIT}`) : limit).optional(),
    offset: queryCount.optional(),
    q: z.string().max(256).optional(),
    updated_since: queryCount.optional(),
    ...(sorts.length === 0 ? {} : { sort: z.enum(sorts).optional(), order: z.enum(["asc", "desc"]).optional() }),
  });
}

/** Reads the list parameters of a request. Throws zod's error, which the server answers with 400. */
export function parseListQuery(columns: ListColumns, surface: Surface, query: unknown): ListQuery {
  const given: Record<string, unknown> = listParameters(columns, surface).parse(query);
  const { limit, offset, q, updated_since: updatedSince, sort, order } = given;
  return {
    columns,
    limit: typeof limit === "number" ? limit : surface === "v1" ? DEFAULT_LIMIT : undefined,
    offset: typeof offset === "number" ? offset : 0,
    q: typeof q === "string" && q !== "" ? q : undefined,
    updatedSince: typeof updatedSince === "number" ? updatedSince : undefined,
    sort: typeof sort === "string" ? sort : undefined,
    descending: order === "desc",
  };
}

export type Condition = Query<boolean>;

/** Case-insensitive substring, `%` and `_` taken literally, the same on both dialects. `column` is code. */
export function contains(column: string, text: string): Condition {
  const pattern = `%${text.toLowerCase().replace(/[!%_]/g, "!$&")}%`;
  return sql<boolean>`lower(${sql.raw(column)}) like ${pattern} escape '!'`;
}

/** All of the conditions; true where there is none. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join([...conditions], sql` and `)})`;
}

/** Any of the conditions; false where there is none. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join([...conditions], sql` or `)})`;
}

function orderOf({ columns, sort, descending }: ListQuery): Query {
  const chosen = sort === undefined ? undefined : columns.sorts?.[sort];
  if (chosen === undefined) return sql.raw(columns.order);
  const { by, emptyWhen } = typeof chosen === "string" ? { by: chosen } : { emptyWhen: undefined, ...chosen };
  const direction = descending ? "desc" : "asc";
  const empty = emptyWhen === undefined ? "" : `case when ${emptyWhen} then 1 else 0 end, `;
  return sql.raw(`${empty}${by} ${direction}, ${columns.id ?? "id"} ${direction}`);
}

export interface PageSource {
  /** Filters of the route, beside `q` and `updated_since`. */
  readonly where?: readonly Condition[];
  /** `from` clause where it is not the entity's table alone: `users u join …`. */
  readonly from?: string;
  /** Selected columns; the entity's own unless said: `u.*`. */
  readonly select?: string;
}

/** One page of an entity's rows and the total: one query and one count. */
export async function pageOf<R extends object>(
  reads: Reader,
  entity: Entity<R>,
  list: ListQuery,
  source: PageSource = {},
): Promise<Page<R>> {
  const { columns, q, updatedSince } = list;
  const conditions = [...(source.where ?? [])];
  if (q !== undefined) conditions.push(anyOf(columns.q.map((column) => contains(column, q))));
  if (updatedSince !== undefined && columns.updatedAt !== undefined)
    conditions.push(sql<boolean>`${sql.raw(columns.updatedAt)} >= ${updatedSince}`);
  const from = sql.raw(source.from ?? entity.name);
  const where = allOf(conditions);
  const limit = list.limit ?? Number.MAX_SAFE_INTEGER;
  const [rows, [counted]] = await Promise.all([
    reads.rows(
      entity,
      sql`select ${sql.raw(source.select ?? "*")} from ${from} where ${where} order by ${orderOf(list)} limit ${limit} offset ${list.offset}`,
    ),
    reads.query<{ total: number | string }>(sql`select count(*) as total from ${from} where ${where}`),
  ]);
  return { rows, total: Number(counted?.total ?? 0) };
}

/** A list that is held in memory (catalogues): the same rules without SQL. `text` gives what `q` searches. */
export function pageOfArray<R>(all: readonly R[], list: ListQuery, text: (row: R) => readonly string[]): Page<R> {
  if (list.sort !== undefined) throw new Refusal("bad_request", { message: "this list has no sort", field: "sort" });
  const needle = list.q?.toLowerCase();
  const found = needle === undefined ? all : all.filter((row) => text(row).some((part) => part.toLowerCase().includes(needle)));
  const end = list.limit === undefined ? undefined : list.offset + list.limit;
  return { rows: found.slice(list.offset, end), total: found.length };
}
