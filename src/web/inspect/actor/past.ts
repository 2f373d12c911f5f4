// Looking back: what an actor knew after a step of its journal, by undoing what the steps since then changed.
//
// Nothing is replayed and nothing is guessed: if the loaded journal has a gap, or a change was too large to store, the
// old value is unknown.
import type { JournalEntry } from "../wire.ts";

/** A field as it was, or the word that nobody knows. */
export type Remembered = { readonly known: true; readonly value: unknown } | { readonly known: false };

const UNKNOWN: Remembered = { known: false };

type Change = readonly [before: unknown, after: unknown];

/** Stands where a value was too long to be kept; as a field's name: more fields changed than there was room to name. */
const CUT = "[cut]";

/** Undefined: the entry does not touch the field. */
function changeOf(entry: JournalEntry, field: string): Change | undefined {
  if (Object.hasOwn(entry.changed, field)) return entry.changed[field];
  return isCut(entry) ? [CUT, CUT] : undefined;
}

/** The entry does not name all that it changed. */
export function isCut(entry: JournalEntry): boolean {
  return Object.hasOwn(entry.changed, CUT);
}

/** What an entry names as changed. */
export function changesOf(entry: JournalEntry): [field: string, change: Change][] {
  return Object.entries(entry.changed).filter(([field]) => field !== CUT);
}

function kept(value: unknown): Remembered {
  return value === CUT ? UNKNOWN : { known: true, value };
}

export interface Journal {
  /** Entries at hand, by `seq`. */
  readonly entries: ReadonlyMap<number, JournalEntry>;
  /** The newest `seq` there is. */
  readonly head: number;
}

/** The context after the entry `seq`; `now` is that after the newest one. */
export function contextAt(
  now: Readonly<Record<string, unknown>>,
  { entries, head }: Journal,
  seq: number,
): Map<string, Remembered> {
  const fields = new Set(Object.keys(now));
  for (const entry of entries.values()) for (const [field] of changesOf(entry)) fields.add(field);
  return new Map([...fields].map((field) => [field, valueAt(field, now, { entries, head }, seq)]));
}

function valueAt(
  field: string,
  now: Readonly<Record<string, unknown>>,
  { entries, head }: Journal,
  seq: number,
): Remembered {
  for (let at = seq + 1; at <= head; at++) {
    const entry = entries.get(at);
    if (!entry) return valueBefore(field, entries, seq);
    const change = changeOf(entry, field);
    if (!change) continue;
    const before = kept(change[0]);
    return before.known ? before : valueBefore(field, entries, seq);
  }
  return Object.hasOwn(now, field) ? { known: true, value: now[field] } : { known: true, value: null };
}

/** What the last entry up to `seq` that touched the field left there. */
function valueBefore(field: string, entries: ReadonlyMap<number, JournalEntry>, seq: number): Remembered {
  for (let at = seq; at > 0; at--) {
    const entry = entries.get(at);
    if (!entry) return UNKNOWN;
    const change = changeOf(entry, field);
    if (change) return kept(change[1]);
  }
  return UNKNOWN;
}
