// A page of actors, of one kind or of several: by id, by name, by how long they are in their state, by what wakes them
// next.
//
// Invariants:
// - What is sorted and skipped are narrow rows, a branch for each kind and, where that lets an index serve, for each
//   state: a branch reads no more than the page and what is skipped.
// - Totals by kind and state come from the counters; a search, or a filter by fault, counts what it finds.
import { sql, type Query, type Reader } from "../../db/index.ts";
import { allOf, contains, type ListQuery, type Page } from "../../http/index.ts";
import {
  DUE_TIMER,
  FAULT_LIMIT,
  stateCounts,
  type ActorKind,
  type ActorRow,
  type StateCount,
} from "../../runtime/index.ts";

/** What the list can be sorted by. Actors that nothing wakes come last, in either direction. */
export const ACTOR_SORTS = { since: "msince", name: "name", id: "id", wakeAt: "wake_at" } as const;
export type ActorSort = keyof typeof ACTOR_SORTS;

export interface ActorFilter {
  /** A state, or with `.*` at its end all states within one. */
  readonly state?: string | undefined;
  readonly fault?: boolean | undefined;
}

/** An actor of the page with its kind. */
export interface Found {
  readonly kind: ActorKind;
  readonly row: ActorRow;
}

/** More actors than this are not sorted by their timers; instead the timers are walked in their order. */
const MANY = 20_000;
/** Keys in one statement; more would be more parameters than SQLite or PostgreSQL take. */
const CHUNK = 5000;
/** What a filter walks through is up to the caller. */
const SCANS = { scans: true } as const;

/** Rows of one kind that a page may hold. */
interface Source {
  readonly kind: ActorKind;
  /** Its place among the kinds. */
  readonly place: number;
  readonly table: string;
  readonly states: readonly StateCount[];
  /** States are chosen by name; otherwise those are all there are. */
  readonly chosen: boolean;
  readonly conditions: readonly Query<boolean>[];
  /** Few rows match, and an index of their own finds them: they are not looked for in the order of the page. */
  readonly few: boolean;
}

interface Key {
  readonly place: number;
  readonly id: number;
}

/** One page over all of `kinds`. */
export async function actorPage(
  reads: Reader,
  kinds: readonly ActorKind[],
  list: ListQuery<ActorSort>,
  filter: ActorFilter,
): Promise<Page<Found>> {
  if (kinds.length === 0) return { rows: [], total: 0 };
  const counts = await stateCounts(
    reads,
    kinds.map(({ definition }) => definition.kind),
  );
  const sources = kinds.map((kind, place): Source => {
    const states = counts.filter(({ kind: of, state }) => of === kind.definition.kind && isIn(state, filter.state));
    return {
      kind,
      place,
      table: kind.definition.entity.name,
      states,
      chosen: filter.state !== undefined,
      conditions: conditionsOf(reads, list, filter, nameSql(kind)),
      few: filter.fault === true,
    };
  });
  const among = sources.filter(({ states }) => states.length > 0);
  const [keys, total] = await Promise.all([keysOf(reads, among, list), totalOf(reads, among)]);
  return { rows: await rowsOf(reads, kinds, keys), total };
}

/** `error.*` means every state within `error`; commas part several. */
function isIn(state: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.split(",").some((one) => (one.endsWith(".*") ? state.startsWith(one.slice(0, -1)) : state === one));
}

/** What an actor `u` of a kind is called. */
function nameSql({ definition }: ActorKind): string {
  return definition.nameSql ?? "u.name";
}

function conditionsOf(
  reads: Reader,
  { q, updatedSince }: ListQuery,
  { fault }: ActorFilter,
  name: string,
): Query<boolean>[] {
  const conditions: Query<boolean>[] = [];
  if (q !== undefined) conditions.push(contains(reads.dialect, [name], q));
  if (updatedSince !== undefined) conditions.push(sql<boolean>`u.msince >= ${updatedSince * 1000}`);
  // As the index of actors in quarantine says it.
  if (fault === true) conditions.push(sql<boolean>`u.fault_count >= ${sql.lit(FAULT_LIMIT)}`);
  if (fault === false) conditions.push(sql<boolean>`u.fault_count < ${sql.lit(FAULT_LIMIT)}`);
  return conditions;
}

const counted = (states: readonly StateCount[]) => states.reduce((sum, { total }) => sum + total, 0);

async function totalOf(reads: Reader, sources: readonly Source[]): Promise<number> {
  const totals = await Promise.all(
    sources.map(async (source) => {
      if (source.conditions.length === 0) return counted(source.states);
      const query = sql<{
        total: number;
      }>`select count(*) as total from ${sql.table(source.table)} u where ${whereOf(source)}`;
      return (await reads.query(query, SCANS))[0]?.total ?? 0;
    }),
  );
  return totals.reduce((sum, total) => sum + total, 0);
}

function whereOf({ states, chosen, conditions, few }: Source, more: readonly Query<boolean>[] = []): Query<boolean> {
  // Where most rows match, they are walked in their order and not gathered by the index of states to be sorted.
  const state = few || counted(states) > MANY ? sql`u.mstate || ''` : sql`u.mstate`;
  const among = chosen ? [sql<boolean>`${state} in (${sql.join(states.map((each) => each.state))})`] : [];
  return allOf([...among, ...conditions, ...more]);
}

async function keysOf(reads: Reader, sources: readonly Source[], list: ListQuery<ActorSort>): Promise<readonly Key[]> {
  if (sources.length === 0) return [];
  const upTo = list.limit === undefined ? Number.MAX_SAFE_INTEGER : list.offset + list.limit;
  if (list.sort !== "wakeAt")
    return pageOfBranches(
      reads,
      list,
      sources.flatMap((source) => branchesOf(source, list, upTo)),
    );
  const woken = sources.flatMap((source) => wokenBranches(source, list.descending, upTo));
  const first = await pageOfBranches(reads, list, woken);
  if (list.limit !== undefined && first.length === list.limit) return first;
  return pageOfBranches(reads, list, [
    ...woken,
    ...sources.flatMap((source) => unwokenBranches(source, list.descending, upTo)),
  ]);
}

/** Sorts what the branches give and takes the page. */
function pageOfBranches(reads: Reader, list: ListQuery<ActorSort>, branches: readonly Query[]): Promise<Key[]> {
  if (branches.length === 0) return Promise.resolve([]);
  const direction = sql.raw(list.descending ? "desc" : "asc");
  const order = list.sort === undefined ? sql`place, id` : sql`late, sorted ${direction}, id ${direction}, place`;
  const limit = list.limit ?? Number.MAX_SAFE_INTEGER;
  const all = sql.join([...branches], sql` union all `);
  return reads.query<Key>(
    sql`select place, id from (${all}) page order by ${order} limit ${limit} offset ${list.offset}`,
    SCANS,
  );
}

function branchesOf(source: Source, { sort, descending }: ListQuery<ActorSort>, upTo: number): Query[] {
  const by =
    sort === "name"
      ? sql.raw(nameSql(source.kind))
      : sql`${sql.ref(`u.${ACTOR_SORTS[sort ?? "id"]}`)}${sql.raw(source.few ? " + 0" : "")}`;
  const branch = (where: Query<boolean>) =>
    branchOf(source, sql`${sql.table(source.table)} u where ${where}`, by, sql.lit(0), descending, upTo);
  if (sort !== "since" || source.few) return [branch(whereOf(source))];
  return source.states.map(({ state }) => branch(allOf([sql<boolean>`u.mstate = ${state}`, ...source.conditions])));
}

/** At most `upTo` of what `from` gives: `late` sorts before everything, `by` after it. */
function branchOf(source: Source, from: Query, by: Query, late: Query, descending: boolean, upTo: number): Query {
  const direction = sql.raw(descending ? "desc" : "asc");
  const id = sql.raw(source.few ? "u.id + 0" : "u.id");
  const columns = sql`${sql.lit(source.place)} as place, ${id} as id, ${by} as sorted, ${late} as late`;
  return sql`select * from (select ${columns} from ${from} order by 3 ${direction}, 2 ${direction} limit ${upTo}) branch`;
}

/** Actors that something wakes. */
function wokenBranches(source: Source, descending: boolean, upTo: number): Query[] {
  const table = sql.table(source.table);
  if (counted(source.states) <= MANY) {
    const from = sql`(select u.*, (select min(t.due_at) from timers t where t.id in (${timerIds(source)})) as wake_at
      from ${table} u where ${whereOf(source)}) u where u.wake_at is not null`;
    return [branchOf(source, from, sql.ref("u.wake_at"), sql.lit(0), descending, upTo)];
  }
  const sooner = sql<boolean>`not exists (select 1 from timers s where s.id in (${timerIds(source)})
    and (s.due_at < t.due_at or (s.due_at = t.due_at and s.id < t.id)))`;
  const from = sql`timers t cross join ${table} u
    where t.kind = ${source.kind.definition.kind} and u.id = t.actor_id and ${whereOf(source, [sooner])}`;
  return [branchOf(source, from, sql.ref("t.due_at"), sql.lit(0), descending, upTo)];
}

/** Actors that nothing wakes. */
function unwokenBranches(source: Source, descending: boolean, upTo: number): Query[] {
  const none = sql<boolean>`not exists (select 1 from timers t where t.id in (${timerIds(source)}))`;
  const from = sql`${sql.table(source.table)} u where ${whereOf(source, [none])}`;
  return [branchOf(source, from, sql.lit(0), sql.lit(1), descending, upTo)];
}

/** The ids that the timers of an actor `u` can have, see `timerId`. */
function timerIds({ kind: { definition, chart } }: Source): Query {
  return sql.join(
    [...chart.timerNames, DUE_TIMER].map(
      (name) => sql`${sql.lit(`${definition.kind}:`)} || u.id || ${sql.lit(`:${name}`)}`,
    ),
  );
}

async function rowsOf(reads: Reader, kinds: readonly ActorKind[], keys: readonly Key[]): Promise<Found[]> {
  const found = new Map<number, Map<number, ActorRow>>();
  const byPlace = Map.groupBy(keys, ({ place }) => place);
  await Promise.all(
    [...byPlace].map(async ([place, own]) => {
      const kind = kinds[place];
      const ids = own.map(({ id }) => id);
      if (kind) found.set(place, await rowsById(reads, kind, ids));
    }),
  );
  return keys.flatMap(({ place, id }) => {
    const [kind, row] = [kinds[place], found.get(place)?.get(id)];
    return kind && row ? [{ kind, row }] : [];
  });
}

async function rowsById(
  reads: Reader,
  { definition: { entity } }: ActorKind,
  ids: readonly number[],
): Promise<Map<number, ActorRow>> {
  const rows = new Map<number, ActorRow>();
  for (let start = 0; start < ids.length; start += CHUNK) {
    const some = ids.slice(start, start + CHUNK);
    const query = sql`select * from ${sql.table(entity.name)} where id in (${sql.join(some)})`;
    for (const row of await reads.rows(entity, query)) rows.set(row.id, row);
  }
  return rows;
}
