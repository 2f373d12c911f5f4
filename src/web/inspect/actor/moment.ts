// What the page shows of an actor: as it is now, or as it was after a step of its journal.
import { changesOf, contextAt, type Remembered } from "./past.ts";
import type { ActorDetail, JournalEntry } from "../wire.ts";

/** `from` undefined: not known yet; null: the actor was created. */
export interface MomentStep {
  readonly event: string;
  readonly from: string | null | undefined;
  readonly to: string;
  readonly actor: string;
  readonly atMs: number;
}

export interface Moment {
  readonly state: string;
  readonly seq: number;
  /** When the state was entered, Unix milliseconds. */
  readonly sinceMs: number;
  /** When it was left again; undefined for the present. */
  readonly untilMs: number | undefined;
  /** The step that led here; undefined where it is not known. */
  readonly step: MomentStep | undefined;
  /** The step that brought it into its state, where another one followed that led nowhere else. */
  readonly entered: Pick<MomentStep, "event" | "actor" | "atMs"> | undefined;
  readonly context: ReadonlyMap<string, Remembered>;
  /** Fields that the step changed. */
  readonly changed: ReadonlySet<string>;
}

/** `entry`: the newest of the journal, where it is at hand: it knows where the actor came from. */
export function presentOf(actor: ActorDetail, entry: JournalEntry | undefined): Moment {
  const { state, rev, since, why, entered, context, measured } = actor;
  const step: MomentStep | undefined =
    entry && entry.seq === rev
      ? entry
      : why
        ? { event: why.event, from: undefined, to: state, actor: why.actor, atMs: why.atMs }
        : undefined;
  return {
    state,
    seq: rev,
    sinceMs: entered?.atMs ?? since * 1000,
    untilMs: undefined,
    step,
    entered: entered && entered.seq !== rev ? entered : undefined,
    context: new Map(
      Object.entries({ ...context, ...measured }).map(([field, value]) => [field, { known: true, value }]),
    ),
    changed: new Set(),
  };
}

/**
 * The moment after the entry `seq`; undefined while the entry is not at hand. `now`: the actor's context of today,
 * undefined of one that is gone.
 */
export function pastOf(
  seq: number,
  now: Readonly<Record<string, unknown>> | undefined,
  entries: ReadonlyMap<number, JournalEntry>,
  head: number,
): Moment | undefined {
  const entry = entries.get(seq);
  if (!entry) return undefined;
  const entered = enteredAt(entry, entries);
  const next = leavingOf(entry, entries, head);
  // Without a present to go back from, only what the journal itself names is known.
  const context = contextAt(now ?? {}, { entries, head: now ? head : head + 1 }, seq);
  return {
    state: entry.to,
    seq,
    sinceMs: entered.atMs,
    untilMs: next?.atMs,
    step: entry,
    entered: entered === entry ? undefined : entered,
    context,
    changed: new Set(changesOf(entry).map(([field]) => field)),
  };
}

/** Steps that change no state do not begin a stay. */
function enteredAt(entry: JournalEntry, entries: ReadonlyMap<number, JournalEntry>): JournalEntry {
  let at = entry;
  while (at.from === at.to) {
    const before = entries.get(at.seq - 1);
    if (!before) break;
    at = before;
  }
  return at;
}

function leavingOf(
  { seq, to }: JournalEntry,
  entries: ReadonlyMap<number, JournalEntry>,
  head: number,
): JournalEntry | undefined {
  for (let at = seq + 1; at <= head; at++) {
    const entry = entries.get(at);
    if (!entry) return undefined;
    if (entry.to !== to) return entry;
  }
  return undefined;
}
