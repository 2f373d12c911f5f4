// Reading actors: what they are in, why, and what wakes them next (rules inspector.read). Times are Unix seconds on the
// wire.
import { sql, type Draft, type Query, type Reader } from "../../db/index.ts";
import { pageOf, type Condition, type ListQuery, type Page } from "../../http/index.ts";
import {
  DUE_TIMER,
  EffectRows,
  effectId,
  chartProblem,
  ChartTooNew,
  enteringEntries,
  entriesBackFrom,
  FAULT_LIMIT,
  JournalRows,
  newestEntry,
  TimerRows,
  timerId,
  upcast,
  type ActorKind,
  type ActorRow,
  type EffectRow,
  type JournalRow,
  type StoredState,
  type ToldProblem,
  type TimerRow,
} from "../../runtime/index.ts";
import type { JournalFilter } from "./actor.schema.ts";
import type { Found } from "./actor-list.queries.ts";
import { outlook } from "./preview.ts";

const seconds = (ms: number) => Math.floor(ms / 1000);

type Scopes = ReadonlySet<string>;

function seenBy({ definition }: ActorKind, row: Readonly<ActorRow>, scopes: Scopes): Readonly<ActorRow> {
  return definition.seenBy?.(row, scopes) ?? row;
}

/** Actors of a page as they are shown, in its order. */
export async function actorViews(reads: Reader, found: readonly Found[], scopes: Scopes) {
  const own = new Map<ActorKind, { timers: Map<number, TimerRow[]>; effects: Map<number, EffectRow[]> }>();
  for (const [kind, rows] of Map.groupBy(found, (each) => each.kind)) {
    const ids = rows.map(({ row }) => row.id);
    const [timers, effects] = await Promise.all([timersOf(reads, kind, ids), effectsOf(reads, kind, ids)]);
    own.set(kind, { timers, effects });
  }
  return found.map(({ kind, row }) =>
    actorView(
      kind,
      seenBy(kind, row, scopes),
      own.get(kind)?.timers.get(row.id) ?? [],
      own.get(kind)?.effects.get(row.id) ?? [],
    ),
  );
}

/** Keys in one statement; more would be more parameters than SQLite or PostgreSQL take. */
const CHUNK = 5000;

async function inChunks<R>(keys: readonly string[], read: (some: readonly string[]) => Promise<R[]>): Promise<R[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / CHUNK) }, (_, index) =>
    keys.slice(index * CHUNK, (index + 1) * CHUNK),
  );
  return (await Promise.all(chunks.map(read))).flat();
}

/** Timers of some actors, by actor id. */
async function timersOf(
  reads: Reader,
  { definition, chart }: ActorKind,
  ids: readonly number[],
): Promise<Map<number, TimerRow[]>> {
  const keys = ids.flatMap((id) => [...chart.timerNames, DUE_TIMER].map((name) => timerId(definition.kind, id, name)));
  const rows = await inChunks(keys, (some) =>
    reads.rows(TimerRows, sql`select * from timers where id in (${sql.join([...some])})`),
  );
  return Map.groupBy(rows, (row) => row.actorId);
}

/** Effects of some actors, by actor id. */
async function effectsOf(
  reads: Reader,
  { definition, chart }: ActorKind,
  ids: readonly number[],
): Promise<Map<number, EffectRow[]>> {
  const keys = ids.flatMap((id) => [...chart.invokes.keys()].map((invoke) => effectId(definition.kind, id, invoke)));
  const rows = await inChunks(keys, (some) =>
    reads.rows(EffectRows, sql`select * from effects where id in (${sql.join([...some])}) and state <> 'ended'`),
  );
  return Map.groupBy(rows, (row) => row.actorId);
}

/** An actor as a change leaves it: with the timers and effects of the change's own draft. */
export function actorIn(draft: Draft, kind: ActorKind, row: Readonly<ActorRow>, scopes: Scopes) {
  const { definition, chart } = kind;
  const timers = [...chart.timerNames, DUE_TIMER].map((name) =>
    draft.find(TimerRows, timerId(definition.kind, row.id, name)),
  );
  const effects = [...chart.invokes.keys()].map((invoke) =>
    draft.find(EffectRows, effectId(definition.kind, row.id, invoke)),
  );
  const wanted = effects.filter(isPresent).filter(({ state }) => state !== "ended");
  return actorView(kind, seenBy(kind, row, scopes), timers.filter(isPresent), wanted);
}

function isPresent<T>(row: T | undefined): row is T {
  return row !== undefined;
}

/**
 * The journal of an actor, newest first, also of one that is gone; undefined of one that never was. A search reads all
 * of it, a page without one no more than what it shows and skips.
 */
export async function journalPage(
  reads: Reader,
  kind: ActorKind,
  id: number,
  list: ListQuery,
  filter: JournalFilter = {},
): Promise<Page<JournalRow> | undefined> {
  const newest = await newestEntry(reads, kind, id);
  if (!newest) return undefined;
  const since = Math.max(filter.since ?? 0, list.updatedSince ?? 0);
  const conditions = [...conditionsOf(filter), ...(since > 0 ? [sql<boolean>`at >= ${since * 1000}`] : [])];
  const all = list.q !== undefined || list.limit === undefined || conditions.length > 0;
  const back = all
    ? entriesBackFrom(newest, newest.seq, since * 1000)
    : entriesBackFrom(newest, list.offset + (list.limit ?? 0));
  const page = await pageOf(reads, JournalRows, list, { where: [back, ...conditions] });
  return all ? page : { rows: page.rows, total: newest.seq };
}

function conditionsOf({ until, event, entered }: JournalFilter): Condition[] {
  const conditions: Condition[] = [];
  if (until !== undefined) conditions.push(sql<boolean>`at < ${(until + 1) * 1000}`);
  if (event !== undefined) conditions.push(sql<boolean>`event = ${event}`);
  if (entered !== undefined) {
    // The letters of a state's path in their order: `within` of one that ends in `.*` is what stands before the star.
    const within = entered.endsWith(".*") ? entered.slice(0, -1) : undefined;
    const isIn = (column: Query) =>
      within === undefined
        ? sql<boolean>`${column} = ${entered}`
        : sql<boolean>`substr(${column}, 1, ${sql.lit(within.length)}) = ${within}`;
    conditions.push(
      sql<boolean>`${isIn(sql.ref("to_state"))} and (from_state is null or not ${isIn(sql.ref("from_state"))})`,
    );
  }
  return conditions;
}

/** Resident effects have no row: those of the state are added to the queued ones. */
function runningOf(
  { definition, chart }: ActorKind,
  stored: StoredState | undefined,
  effects: readonly EffectRow[],
): string[] {
  const resident = (stored ? chart.invokesIn(stored.state) : []).flatMap((invokeId) => {
    const src = chart.invokes.get(invokeId)?.src ?? invokeId;
    return definition.effects[src]?.mode === "resident" ? [src] : [];
  });
  return [...resident, ...effects.map((effect) => effect.src)];
}

/**
 * What the row says, as this version of the chart reads it; undefined of a row that a newer panel beside this one
 * wrote: it is shown as it is.
 */
function storedIn(kind: ActorKind, row: Readonly<ActorRow>): StoredState | undefined {
  return row.mver > kind.definition.version ? undefined : upcast(kind, row);
}

/** An actor as a row of a list. */
export function actorView(
  kind: ActorKind,
  row: Readonly<ActorRow>,
  timers: readonly TimerRow[],
  effects: readonly EffectRow[],
) {
  return {
    ...commonView(kind, row, timers, effects),
    fault: row.faultCount >= FAULT_LIMIT,
    ...troubleIn(kind, row, effects),
  };
}

/** A newer panel goes on with it. Nothing is stored of that, so it is over when one does. */
function putAside(
  { kind, version }: ActorKind["definition"],
  { id, mver }: Readonly<ActorRow>,
): ToldProblem | undefined {
  return mver > version ? chartProblem(new ChartTooNew(kind, id, mver, version)) : undefined;
}

/**
 * What went wrong last: of the chart itself, of an effect, else what the row remembers, which alone may have a code.
 */
function troubleIn({ definition }: ActorKind, row: Readonly<ActorRow>, effects: readonly EffectRow[]) {
  if (row.faultCount >= FAULT_LIMIT) return { error: row.faultMessage, cause: row.faultCause };
  const aside = putAside(definition, row);
  if (aside) return { error: aside.message, cause: aside.cause };
  const failing = effects.find(({ lastError }) => lastError !== "");
  if (failing) return { error: failing.lastError, cause: failing.lastCause };
  const cause = definition.causeOf?.(row);
  return {
    error: definition.errorOf?.(row) ?? "",
    cause: cause ? { code: cause.code, values: [...cause.values] } : null,
  };
}

function commonView(
  kind: ActorKind,
  row: Readonly<ActorRow>,
  timers: readonly TimerRow[],
  effects: readonly EffectRow[],
) {
  const next = timers.length === 0 ? null : Math.min(...timers.map((timer) => timer.dueAt));
  return {
    kind: kind.definition.kind,
    id: String(row.id),
    name: kind.definition.nameOf(row),
    state: row.mstate,
    since: seconds(row.msince),
    version: row.mver,
    rev: row.rev,
    wakeAt: next === null ? null : seconds(next),
    running: runningOf(kind, storedIn(kind, row), effects),
    trouble: kind.definition.troubleOf?.(row) ?? null,
    attempts: Math.max(kind.definition.attemptsOf?.(row) ?? 0, ...effects.map((effect) => effect.attempt)),
  };
}

export function journalView({ definition }: ActorKind, row: JournalRow, scopes: Scopes) {
  const unseen = definition.unseenBy?.(scopes) ?? [];
  const changed = row.changed === "" ? {} : (JSON.parse(row.changed) as Record<string, [unknown, unknown]>);
  return {
    seq: row.seq,
    at: seconds(row.at),
    atMs: row.at,
    event: row.event,
    from: row.fromState,
    to: row.toState,
    actor: row.actor,
    effects: row.effects === "" ? [] : row.effects.split(" "),
    took: row.took,
    changed: Object.fromEntries(Object.entries(changed).filter(([field]) => !unseen.includes(field))),
  };
}

/** One actor with everything about it. `now`: Unix milliseconds. */
export async function actorDetail(
  reads: Reader,
  now: number,
  kind: ActorKind,
  whole: Readonly<ActorRow>,
  scopes: Scopes,
) {
  const row = seenBy(kind, whole, scopes);
  const [timersById, effectsById, last, [entering], { next, measured }] = await Promise.all([
    timersOf(reads, kind, [row.id]),
    effectsOf(reads, kind, [row.id]),
    row.mlast === null ? undefined : reads.find(JournalRows, row.mlast),
    enteringEntries(reads, row.mlast === null ? [] : [row.mlast]),
    outlook(reads, now, kind, row.id),
  ]);
  const [timers, effects] = [timersById.get(row.id) ?? [], effectsById.get(row.id) ?? []];
  const stored = storedIn(kind, row);
  const meaning = stored ? kind.chart.meaningOf(stored.state) : (putAside(kind.definition, row)?.message ?? "");
  return {
    ...commonView(kind, row, timers, effects),
    meaning,
    context: visibleContext(kind, row),
    measured,
    next,
    why: last ? { event: last.event, at: seconds(last.at), atMs: last.at, actor: last.actor, text: meaning } : null,
    entered: entering ? enteredView(entering) : null,
    timers: timers.map(timerView),
    effects: effects.map((effect) => effectView(effect, attemptsOf(kind, effect.src))),
    fault:
      row.faultCount >= FAULT_LIMIT
        ? { at: seconds(row.faultAt ?? 0), count: row.faultCount, message: row.faultMessage, cause: row.faultCause }
        : null,
  };
}

function enteredView({ seq, event, at, actor, fromState }: JournalRow) {
  return { seq, event, at: seconds(at), atMs: at, actor, from: fromState };
}

/** The chart's own columns and what it remembers, without secrets. */
function visibleContext({ definition }: ActorKind, row: Readonly<ActorRow>): Record<string, unknown> {
  const secret = definition.secrets ?? [];
  return Object.fromEntries(
    Object.entries({ ...row.mctx, ...definition.shown?.(row) }).filter(([field]) => !secret.includes(field)),
  );
}

function attemptsOf({ definition }: ActorKind, src: string): number {
  const handler = definition.effects[src];
  return handler === undefined || handler.mode === "resident" ? 0 : handler.attempts;
}

function timerView(timer: TimerRow) {
  return { name: timer.name, event: timer.event, dueAt: seconds(timer.dueAt) };
}

function effectView(effect: EffectRow, maxAttempts: number) {
  return {
    id: effect.run,
    src: effect.src,
    attempt: effect.attempt,
    maxAttempts,
    startedAt: effect.startedAt === null ? null : seconds(effect.startedAt),
    nextAttemptAt: effect.state === "pending" ? seconds(effect.nextAt) : null,
    lastError: effect.lastError,
    lastCause: effect.lastCause,
  };
}
