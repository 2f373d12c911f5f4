// One moment of a database, read table by table while others go on writing.
//
// Invariants:
// - All rows are of one moment.
// - The database is held by a reader only while its pages or rows are copied as they are, which takes seconds for a
//   gigabyte; what is made of them is made of the copy. So neither SQLite's log nor PostgreSQL's old versions pile up.
// - The copy is in the caller's directory, and goes with `close`.
//
// It runs in a thread of its own: whoever answers requests would wait for each piece.
import type { Location } from "../orm.ts";
import type { Column, Row, Table } from "../table.ts";

/** A table as a snapshot needs to know it: no entity, so it can be handed to a thread. */
export interface TableShape {
  readonly name: string;
  /** Column of the primary key. Rows come in its order, texts by their bytes. */
  readonly key: string;
  readonly columns: readonly Pick<Column, "name" | "kind">[];
}

/** Values by column, as JSON knows them; bytes are `{"$bytes": base64}`. The same on both databases. */
export type NeutralRow = Record<string, unknown>;

export interface Snapshot {
  /** Rows in the order of the key, some at a time. */
  rows(table: TableShape): AsyncIterable<readonly NeutralRow[]>;
  /** Ends it, and deletes the copy. */
  close(): Promise<void>;
}

export function shapeOf({ name, key, columns }: Table): TableShape {
  return { name, key: key.name, columns: columns.map((column) => ({ name: column.name, kind: column.kind })) };
}

/** Takes a snapshot of these tables into a directory that exists and is empty. */
export async function takeSnapshot(
  { dialect, target }: Location,
  tables: readonly TableShape[],
  directory: string,
): Promise<Snapshot> {
  if (dialect === "sqlite") {
    const { snapshotSqlite } = await import("../sqlite/snapshot.ts");
    return snapshotSqlite(target, directory);
  }
  const { snapshotPostgres } = await import("../postgresql/snapshot.ts");
  return snapshotPostgres(target, tables, directory);
}

/** A row as the driver returns it, as JSON knows it. */
export function neutralRow({ columns }: TableShape, raw: Row): NeutralRow {
  return Object.fromEntries(columns.map(({ name, kind }) => [name, neutralValue(raw[name], kind)]));
}

function neutralValue(value: unknown, kind: Column["kind"]): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (kind === "json") return sortedKeys(typeof value === "string" ? JSON.parse(value) : value);
  if (kind === "boolean") return value === true || value === 1;
  return kind === "number" ? Number(value) : value;
}

/** PostgreSQL keeps objects without the order of their keys, so a row that is to be the same on both has one. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortedKeys(each)]));
}
