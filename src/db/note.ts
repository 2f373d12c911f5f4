// The message of a commit to the other processes: the ids of the rows that it changed in watched tables, and the shared
// facts. It contains no row values: a receiver reads the current row, so a late note never delivers an old value.
import { z } from "zod";
import type { RowChange } from "./row-writes.ts";
import type { Facts } from "./facts.ts";
import type { Key } from "./table.ts";

/** Names of the tables and shared facts that every process must receive. */
export interface Echo {
  readonly tables: ReadonlySet<string>;
  readonly facts: ReadonlySet<string>;
}

const Note = z.object({
  rows: z.record(z.string(), z.array(z.union([z.string(), z.number()]))),
  facts: z.record(z.string(), z.array(z.unknown()).readonly()),
});
export type Note = z.infer<typeof Note>;

/** The note of a commit as it is stored; undefined when it concerns nobody else. */
export function noteOf(echo: Echo, changes: readonly RowChange[], facts: Facts): string | undefined {
  const rows: Record<string, Key[]> = {};
  for (const { table, id } of changes) if (echo.tables.has(table)) (rows[table] ??= []).push(id);
  const told = facts.among(echo.facts);
  if (!told && Object.keys(rows).length === 0) return undefined;
  return JSON.stringify({ rows, facts: told ?? {} } satisfies Note);
}

/** Throws for what is no note: another version of the panel wrote something that this one cannot know. */
export function parseNote(text: string): Note {
  return Note.parse(JSON.parse(text));
}
