// Reading actors: what they are in, why, and what wakes them next (decisions 13). Times are Unix seconds on the wire.
import { z } from "zod";
import { sql, type Draft, type Reader } from "../../db/index.ts";
import { count, pageOf, type ListQuery, type Page } from "../../http/index.ts";
import {
  DUE_TIMER,
  EffectRows,
  effectId,
  entriesBackFrom,
  JournalRows,
  newestEntry,
  TimerRows,
  timerId,
  type ActorKind,
  type ActorRow,
  type EffectRow,
  type JournalRow,
  type TimerRow,
} from "../../runtime/index.ts";

/** An actor on the wire. */
export const actorFields = {
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  since: count,
  version: count,
  wakeAt: count.nullable(),
  running: z.array(z.string()),
  attempts: count,
};
export const Actor = z.object(actorFields).meta({ id: "Actor" });

const seconds = (ms: number) => Math.floor(ms / 1000);

/** Actors of one kind, a page; `state` exactly as stored. */
export function actorPage(reads: Reader, kind: ActorKind, list: ListQuery, state: string | undefined): Promise<Page<ActorRow>> {
  const where = state === undefined ? [] : [sql<boolean>`mstate = ${state}`];
  return pageOf(reads, kind.definition.entity, list, { where });
}

/** Actors of some kinds, kind after kind: one page over all of them. */
export async function actorsPage(reads: Reader, kinds: readonly ActorKind[], list: ListQuery, state: string | undefined) {
  const rows: ReturnType<typeof actorView>[] = [];
  let before = 0;
  for (const kind of kinds) {
    const left = list.limit === undefined ? undefined : list.limit - rows.length;
    // A page that is full still needs the count of the kinds after it: one row is read and left out.
    const own = { ...list, offset: Math.max(0, list.offset - before), limit: left === undefined ? undefined : Math.max(1, left) };
    const page = await actorPage(reads, kind, own, state);
    before += page.total;
    if (left === 0) continue;
    const ids = page.rows.map((row) => row.id);
    const [timers, effects] = await Promise.all([timersOf(reads, kind, ids), effectsOf(reads, kind, ids)]);
    rows.push(...page.rows.map((row) => actorView(kind, row, timers.get(row.id) ?? [], effects.get(row.id) ?? [])));
  }
  return { rows, total: before };
}

/** Keys in one statement; more would be more parameters than SQLite or PostgreSQL take. */
const CHUNK = 5000;

async function inChunks<R>(keys: readonly string[], read: (some: readonly string[]) => Promise<R[]>): Promise<R[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / CHUNK) }, (_, index) => keys.slice(index * CHUNK, (index + 1) * CHUNK));
  return (await Promise.all(chunks.map(read))).flat();
}

/** Timers of some actors, by actor id. */
export async function timersOf(reads: Reader, { definition, chart }: ActorKind, ids: readonly number[]): Promise<Map<number, TimerRow[]>> {
  const keys = ids.flatMap((id) => [...chart.timerNames, DUE_TIMER].map((name) => timerId(definition.kind, id, name)));
  const rows = await inChunks(keys, (some) => reads.rows(TimerRows, sql`select * from timers where id in (${sql.join([...some])})`));
  return Map.groupBy(rows, (row) => row.actorId);
}

/** Effects of some actors, by actor id. */
export async function effectsOf(
  reads: Reader,
  { definition, chart }: ActorKind,
  ids: readonly number[],
): Promise<Map<number, EffectRow[]>> {
  const keys = ids.flatMap((id) => [...chart.invokes.keys()].map((invoke) => effectId(definition.kind, id, invoke)));
  const rows = await inChunks(keys, (some) => reads.rows(EffectRows, sql`select * from effects where id in (${sql.join([...some])})`));
  return Map.groupBy(rows, (row) => row.actorId);
}

/** An actor as a change leaves it: with the timers and effects of the change's own draft. */
export function actorIn(draft: Draft, kind: ActorKind, row: Readonly<ActorRow>) {
  const { definition, chart } = kind;
  const timers = [...chart.timerNames, DUE_TIMER].map((name) => draft.find(TimerRows, timerId(definition.kind, row.id, name)));
  const effects = [...chart.invokes.keys()].map((invoke) => draft.find(EffectRows, effectId(definition.kind, row.id, invoke)));
  return actorView(kind, row, timers.filter(isPresent), effects.filter(isPresent));
}

function isPresent<T>(row: T | undefined): row is T {
  return row !== undefined;
}

/** The journal of an actor, newest first. A search reads all of it, a page without one no more than what it shows and skips. */
export async function journalPage(reads: Reader, kind: ActorKind, id: number, list: ListQuery): Promise<Page<JournalRow>> {
  const newest = await newestEntry(reads, kind, id);
  if (!newest) return { rows: [], total: 0 };
  const all = list.q !== undefined || list.limit === undefined;
  const page = await pageOf(reads, JournalRows, list, {
    where: [all ? entriesBackFrom(newest) : entriesBackFrom(newest, list.offset + (list.limit ?? 0))],
  });
  return all ? page : { rows: page.rows, total: newest.seq };
}

/** Resident effects run without a row: those of the state, beside the queued ones. */
export function runningOf({ definition, chart }: ActorKind, row: Readonly<ActorRow>, effects: readonly EffectRow[]): string[] {
  const resident = chart.invokesIn(row.mstate).flatMap((invokeId) => {
    const src = chart.invokes.get(invokeId)?.src ?? invokeId;
    return definition.effects[src]?.mode === "resident" ? [src] : [];
  });
  return [...resident, ...effects.map((effect) => effect.src)];
}

export function actorView(kind: ActorKind, row: Readonly<ActorRow>, timers: readonly TimerRow[], effects: readonly EffectRow[]) {
  const next = timers.length === 0 ? null : Math.min(...timers.map((timer) => timer.dueAt));
  return {
    kind: kind.definition.kind,
    id: String(row.id),
    name: kind.definition.nameOf(row),
    state: row.mstate,
    since: seconds(row.msince),
    version: row.mver,
    wakeAt: next === null ? null : seconds(next),
    running: runningOf(kind, row, effects),
    attempts: Math.max(0, ...effects.map((effect) => effect.attempt)),
  };
}

export function journalView(row: JournalRow) {
  return {
    seq: row.seq,
    at: seconds(row.at),
    event: row.event,
    from: row.fromState,
    to: row.toState,
    actor: row.actor,
    effects: row.effects === "" ? [] : row.effects.split(" "),
    took: row.took,
    changed: row.changed === "" ? {} : (JSON.parse(row.changed) as Record<string, [unknown, unknown]>),
  };
}

export function timerView(timer: TimerRow) {
  return { name: timer.name, event: timer.event, dueAt: seconds(timer.dueAt) };
}

export function effectView(effect: EffectRow, maxAttempts: number) {
  return {
    id: effect.run,
    src: effect.src,
    attempt: effect.attempt,
    maxAttempts,
    startedAt: effect.startedAt === null ? null : seconds(effect.startedAt),
    nextAttemptAt: effect.state === "pending" ? seconds(effect.nextAt) : null,
    lastError: effect.lastError,
  };
}
