// Which tables an archive has: those that are archived always, and with them what was asked for.
import { shapeOf, type Tables } from "../../db/index.ts";
import type { ArchivedTable } from "./make-archive.ts";

/** What an archive may leave out. */
export interface Included {
  /** Series of traffic and readings. */
  readonly history: boolean;
  /** The log of changes. */
  readonly audit: boolean;
}

/** In the order of their names, which is the same on both databases. */
export function archivedTables(tables: Tables, { history, audit }: Included): ArchivedTable[] {
  const included = { history, audit, never: false } as const;
  return [...tables.all()]
    .filter(({ archive }) => archive === undefined || included[archive])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((table) => ({ ...shapeOf(table), sealed: table.sealed }));
}
