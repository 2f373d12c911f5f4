// Lists, once for all routes (rules http.list): what a list declares, how its parameters are read, and one page query
// with one count.
import { z } from "zod";
import { sql, ValueUnfit, type Dialect, type Entity, type Reader } from "../db/index.ts";
import { keysOf } from "./keyset.ts";
import type { Condition, ListColumns, ListQuery, Page } from "./list-query.ts";
import { afterLast, orderOf, orderTerms, pageIds } from "./page-ids.ts";
import { invalid, Refusal } from "./refusals/errors.ts";
import { matching, rule } from "./refusals/rules.ts";
import { queryBounded, queryCount } from "./wire.ts";

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

export type Surface = "api" | "v1";

/** What is searched for: a few words, or a link that somebody pasted. */
export const SearchText = z
  .string()
  .max(4096)
  .check(matching(/^[\s\S]{0,256}$|:\/\//, rule("too_long", 256)));

/**
 * Schema of a list's own query parameters; used for checking and for the description. `ownCursor`: the route has a
 * `cursor` of its own, which means something else.
 */
export function listParameters(columns: ListColumns, surface: Surface, ownCursor: boolean) {
  const sorts = Object.keys(columns.sorts ?? {});
  return z.object({
    limit: queryBounded(1, surface === "v1" ? MAX_LIMIT : undefined).optional(),
    offset: queryCount.optional(),
    q: SearchText.optional(),
    updated_since: queryCount.optional(),
    ...(ownCursor ? {} : { cursor: z.string().max(4096).optional() }),
    ...(sorts.length === 0 ? {} : { sort: z.enum(sorts).optional(), order: z.enum(["asc", "desc"]).optional() }),
  });
}

/** Which list a request asks for. */
export interface ListPlace {
  readonly surface: Surface;
  /** Path and ids: cursors are given out for it. */
  readonly name: string;
  readonly ownCursor: boolean;
}

/**
 * Reads the list parameters of a request. Throws zod's error, which the server answers with 400, or the refusal of a
 * cursor.
 */
export function parseListQuery(columns: ListColumns, place: ListPlace, query: unknown): ListQuery {
  const { surface, name, ownCursor } = place;
  const given: Record<string, unknown> = listParameters(columns, surface, ownCursor).parse(query);
  const { limit, offset, q, updated_since: updatedSince, sort, order, cursor } = given;
  if (typeof cursor === "string" && typeof offset === "number" && offset > 0) invalid("cursor", rule("unfit"));
  // An empty one is where a list begins, as in the log of events.
  const after = typeof cursor === "string" && cursor !== "" ? keysOf(cursor, name, query) : undefined;
  const list: ListQuery = {
    columns,
    limit: typeof limit === "number" ? limit : surface === "v1" ? DEFAULT_LIMIT : undefined,
    offset: typeof offset === "number" ? offset : 0,
    q: typeof q === "string" && q !== "" ? q : undefined,
    updatedSince: typeof updatedSince === "number" ? updatedSince : undefined,
    sort: typeof sort === "string" ? sort : undefined,
    descending: order === "desc",
    ...(ownCursor ? {} : { keyset: { after, next: undefined } }),
  };
  if (after && after.length !== orderTerms(list, columns).length) invalid("cursor", rule("unfit"));
  return list;
}

/**
 * Texts of these characters have no letter outside ASCII: for them the databases' own `like` and `lower` agree with the
 * panel's idea of case.
 */
const ASCII = /^[\x20-\x7e]*$/;

/** A `like` pattern for a substring, `%` and `_` taken literally. */
function patternOf(text: string): string {
  return `%${text.toLowerCase().replace(/[!%_]/g, "!$&")}%`;
}

/** Letters that Arabic and Persian keyboards write differently and readers take for one. */
const TWINS = [
  ["\u064a", "\u06cc"],
  ["\u0649", "\u06cc"],
  ["\u0643", "\u06a9"],
] as const;
const TWIN = new RegExp(`[${TWINS.flat().join("")}]`);
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * Case-insensitive substring of any of the columns, the same on both dialects. Digits of a Persian or Arabic keyboard
 * find Latin ones too. `columns` are code.
 */
export function contains(dialect: Dialect, columns: readonly string[], text: string): Condition {
  const latin = text.replaceAll(DIGIT, (digit) => String(digit.charCodeAt(0) & 15));
  return latin === text
    ? containsAs(dialect, columns, text)
    : anyOf([containsAs(dialect, columns, text), containsAs(dialect, columns, latin)]);
}

/** Only who asks with one of the twins pays for comparing them. */
function containsAs(dialect: Dialect, columns: readonly string[], text: string): Condition {
  // A list without texts has nothing that could be found.
  if (columns.length === 0) return anyOf([]);
  const twins = TWIN.test(text) ? TWINS : [];
  const folded = (column: string) =>
    twins.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, `lower(${column})`);
  const pattern = twins.reduce((inner, [from, to]) => inner.replaceAll(from, to), patternOf(text));
  if (dialect === "postgresql")
    return anyOf(columns.map((column) => sql<boolean>`${sql.raw(folded(column))} like ${pattern} escape '!'`));
  // SQLite's `like` ignores case only for ASCII. Other text needs a call into JavaScript, so there is one call per row
  // for all columns.
  if (ASCII.test(text))
    return anyOf(columns.map((column) => sql<boolean>`${sql.raw(column)} like ${pattern} escape '!'`));
  const joined = columns.map((column) => `ifnull(${column}, '')`).join(" || char(31) || ");
  return sql<boolean>`${sql.raw(folded(joined))} like ${pattern} escape '!'`;
}

/** What `q` finds: a part of a text, or a key as a whole. */
export function searched(dialect: Dialect, { q, keys }: Pick<ListColumns, "q" | "keys">, text: string): Condition {
  const part = contains(dialect, q, text);
  if (!keys?.form.test(text)) return part;
  return anyOf([part, ...keys.by.map((column) => sql<boolean>`${sql.raw(column)} = ${text.toLowerCase()}`)]);
}

/** All of the conditions; true where there is none. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join([...conditions], sql` and `)})`;
}

/** Any of the conditions; false where there is none. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join([...conditions], sql` or `)})`;
}

export interface PageSource {
  /** Filters of the route, in addition to `q` and `updated_since`. */
  readonly where?: readonly Condition[];
  /** `from` clause where it is not the entity's table alone: `users u join …`. */
  readonly from?: string;
  /** Selected columns; the entity's own unless said: `u.*`. */
  readonly select?: string;
  /** What `updated_since` leaves, where the source knows how to find it. */
  readonly updated?: Condition;
  /** What `q` finds, where the source knows better than to look into each of the columns. */
  readonly searched?: Condition;
  /**
   * Where the page's ids are found, if less than `from` is enough for that: a clause, and the list's columns as they
   * are called in it. `where`: all conditions as they are said there.
   */
  readonly ids?: { readonly from: string; readonly columns: ListColumns; readonly where?: readonly Condition[] };
  /** The total, where it is known without counting. */
  readonly total?: () => Promise<number>;
  /** Where the total is counted, if the order alone needs more than the filters. */
  readonly counted?: { readonly from: string; readonly where?: readonly Condition[] };
}

/** How many rows a filter or a search walks through is up to the caller. */
const SCANS = { scans: true } as const;

/**
 * One page of an entity's rows and the total: one query and one count. What is sorted and skipped are ids, so that an
 * index, or a sort of narrow rows, serves; only the page's own rows are read whole.
 */
export async function pageOf<R extends object>(
  reads: Reader,
  entity: Entity<R>,
  list: ListQuery,
  source: PageSource = {},
): Promise<Page<R>> {
  const { columns, q, updatedSince } = list;
  const conditions = [...(source.where ?? [])];
  if (q !== undefined) conditions.push(source.searched ?? searched(reads.dialect, columns, q));
  if (updatedSince !== undefined && columns.updatedAt !== undefined)
    conditions.push(source.updated ?? sql<boolean>`${sql.raw(columns.updatedAt)} >= ${updatedSince}`);
  const from = sql.raw(source.from ?? entity.name);
  const ids = source.ids ?? { from: source.from ?? entity.name, columns };
  const counted = source.counted ?? ids;
  const where = allOf(conditions);
  const order = orderOf(list, columns);
  const said = (elsewhere: readonly Condition[] | undefined) => (elsewhere ? allOf(elsewhere) : where);
  // Without a limit every row is wanted anyway. One row more says whether another page follows.
  const chosen =
    list.limit === undefined
      ? sql`where ${afterLast(list, columns, where)} order by ${order} limit ${Number.MAX_SAFE_INTEGER} offset ${list.offset}`
      : sql`where ${sql.raw(columns.id ?? "id")} in (${pageIds(list, list.limit + 1, ids, said(ids.where))}) order by ${order}`;
  const terms = orderTerms(list, columns);
  const keyed = terms.map(({ by }, at) => `${by} as ${KEY}${at}`).join(", ");
  const count = async () => {
    const [row] = await reads.query<{ total: number | string }>(
      sql`select count(*) as total from ${sql.raw(counted.from)} where ${said(counted.where)}`,
      SCANS,
    );
    return Number(row?.total ?? 0);
  };
  const [found, total] = await cursorFits(list, [
    reads.query<Record<string, unknown>>(
      sql`select ${sql.raw(source.select ?? "*")}, ${sql.raw(keyed)} from ${from} ${chosen}`,
      SCANS,
    ),
    (source.total ?? count)(),
  ]);
  const own = list.limit === undefined ? found : found.slice(0, list.limit);
  const last = own.at(-1);
  if (list.keyset && last && found.length > own.length) {
    const keys = terms.map((_, at) => last[`${KEY}${at}`]);
    if (keys.every((key) => typeof key === "number" || typeof key === "string")) list.keyset.next = keys;
  }
  return { rows: own.map((row) => reads.decode(entity, row)), total };
}

/** Anybody can write a cursor: 400 where its values are none of the columns'. */
async function cursorFits<T extends readonly unknown[]>(
  { keyset }: ListQuery,
  asked: { [K in keyof T]: Promise<T[K]> },
) {
  try {
    return await Promise.all(asked);
  } catch (error) {
    if (error instanceof ValueUnfit && keyset?.after !== undefined) invalid("cursor", rule("unfit"));
    throw error;
  }
}

/** Names of the columns that say by what a row was sorted. */
const KEY = "sorted_by_";

/** A list that is held in memory (catalogues): the same rules without SQL. `text` gives what `q` searches. */
export function pageOfArray<R>(all: readonly R[], list: ListQuery, text: (row: R) => readonly string[]): Page<R> {
  if (list.sort !== undefined) throw new Refusal("bad_request", { message: "this list has no sort", field: "sort" });
  const needle = list.q?.toLowerCase();
  const found =
    needle === undefined ? all : all.filter((row) => text(row).some((part) => part.toLowerCase().includes(needle)));
  const end = list.limit === undefined ? undefined : list.offset + list.limit;
  return { rows: found.slice(list.offset, end), total: found.length };
}
