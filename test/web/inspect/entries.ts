// Journals for the tests of the inspector's models.
import type { JournalEntry } from "../../../src/web/inspect/wire.ts";

const base = {
  at: 0,
  atMs: 0,
  event: "edited",
  from: "a",
  to: "b",
  actor: "anna",
  effects: [],
  took: 0,
  changed: {},
} satisfies Omit<JournalEntry, "seq">;

export function entry(seq: number, rest: Partial<JournalEntry> = {}): JournalEntry {
  return { ...base, seq, atMs: seq * 1000, at: seq, ...rest };
}

export function bySeq(...entries: JournalEntry[]): Map<number, JournalEntry> {
  return new Map(entries.map((each) => [each.seq, each]));
}
