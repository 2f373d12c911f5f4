// Reading actors: what they are in, why, and what wakes them next (decisions 13). Times are Unix seconds on the wire.
import { sql, type Reader } from "../../db/index.ts";
import { pageOf, type ListQuery, type Page } from "../../http/index.ts";
import {
  DUE_TIMER,
  EffectRows,
  effectId,
  JournalRows,
  TimerRows,
  timerId,
  type ActorKind,
  type ActorRow,
  type EffectRow,
  type JournalRow,
  type TimerRow,
} from "../../runtime/index.ts";

const seconds = (ms: number) => Math.floor(ms / 1000);

/** Actors of one kind, a page; `state` exactly as stored. */
export function actorPage(reads: Reader, kind: ActorKind, list: ListQuery, state: string | undefined): Promise<Page<ActorRow>> {
  const where = state === undefined ? [] : [sql<boolean>`mstate = ${state}`];
  return pageOf(reads, kind.definition.entity, list, { where });
}

/** Timers of some actors, by actor id. */
export async function timersOf(reads: Reader, { definition, chart }: ActorKind, ids: readonly number[]): Promise<Map<number, TimerRow[]>> {
  const keys = ids.flatMap((id) => [...chart.timerNames, DUE_TIMER].map((name) => timerId(definition.kind, id, name)));
  if (keys.length === 0) return new Map();
  return Map.groupBy(await reads.rows(TimerRows, sql`select * from timers where id in (${sql.join(keys)})`), (row) => row.actorId);
}

/** Effects of some actors, by actor id. */
export async function effectsOf(
  reads: Reader,
  { definition, chart }: ActorKind,
  ids: readonly number[],
): Promise<Map<number, EffectRow[]>> {
  const keys = ids.flatMap((id) => [...chart.invokes.keys()].map((invoke) => effectId(definition.kind, id, invoke)));
  if (keys.length === 0) return new Map();
  return Map.groupBy(await reads.rows(EffectRows, sql`select * from effects where id in (${sql.join(keys)})`), (row) => row.actorId);
}

/** The journal of an actor, newest first. */
export async function journalPage(reads: Reader, kind: string, id: number, list: ListQuery): Promise<Page<JournalRow>> {
  return pageOf(reads, JournalRows, list, { where: [sql<boolean>`kind = ${kind}`, sql<boolean>`actor_id = ${id}`] });
}

export async function lastTransition(reads: Reader, kind: string, id: number): Promise<JournalRow | undefined> {
  const [row] = await reads.rows(
    JournalRows,
    sql`select * from journal where kind = ${kind} and actor_id = ${id} order by seq desc limit 1`,
  );
  return row;
}

/** Resident effects run without a row: those of the state, beside the queued ones. */
export function runningOf({ definition, chart }: ActorKind, row: ActorRow, effects: readonly EffectRow[]): string[] {
  const resident = chart.invokesIn(row.mstate).flatMap((invokeId) => {
    const src = chart.invokes.get(invokeId)?.src ?? invokeId;
    return definition.effects[src]?.mode === "resident" ? [src] : [];
  });
  return [...resident, ...effects.map((effect) => effect.src)];
}

export function actorView(kind: ActorKind, row: ActorRow, timers: readonly TimerRow[], effects: readonly EffectRow[]) {
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
