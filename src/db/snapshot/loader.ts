// Rows of a snapshot put into a database that is empty but for its schema. The schema says what each column takes, so
// rows of an older version are loaded into the schema of that version.
import type { NeutralRow } from "./snapshot.ts";

/** The table that says which migrations ran: the schema's, not the rows'. */
export const MIGRATIONS = "schema_migrations";

/** What a column holds, as far as rows are written differently. `flag`: SQLite keeps booleans as numbers. */
export type ColumnKind = "json" | "bytes" | "boolean" | "number" | "number or flag" | "text";

export interface LoadColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
}

/** A row that does not fit its table. The message names table, row and column. */
export class RowUnfit extends Error {
  override readonly name = "RowUnfit";
}

/** A text that is to be sealed for its place in this database. */
export type SealText = (secret: string | null, place: { table: string; column: string; id: string | number }) => string;

export interface Loader {
  /** The database's tables with their columns. */
  readonly tables: ReadonlyMap<string, readonly LoadColumn[]>;
  /** Deletes the rows that migrations wrote. */
  clear(): Promise<void>;
  /** Throws `RowUnfit` where rows do not fit their table by themselves; puts none in. */
  check(table: string, rows: readonly NeutralRow[]): void;
  /** Throws `RowUnfit`. */
  load(table: string, rows: readonly NeutralRow[]): Promise<void>;
  /** All rows are there: ids that the database gives itself go on behind theirs. */
  finish(): Promise<void>;
}

/** A table as the database that is loaded has it. */
export interface LoadTable {
  readonly name: string;
  /** Column of the primary key. */
  readonly key: string;
  readonly columns: readonly LoadColumn[];
}

export type LoadValue = string | number | boolean | null | Uint8Array;

/** The values of a row, in the order of the table's columns, as they are written. Throws `RowUnfit`. */
export function fitted({ name: table, key, columns }: LoadTable, row: NeutralRow, seal: SealText): LoadValue[] {
  const id = row[key];
  if (typeof id !== "number" && typeof id !== "string") throw new RowUnfit(`a row of ${table} has no ${key}`);
  const unfit = (column: string, why: string) => new RowUnfit(`${column} of ${id} in ${table} ${why}`);
  const values = columns.map(({ name, kind, nullable }) => {
    const value = row[name];
    if (value === undefined) throw unfit(name, "is missing");
    if (value === null && kind !== "json") {
      if (!nullable) throw unfit(name, "is null");
      return null;
    }
    if (kind === "json") return value === null && nullable ? null : JSON.stringify(value);
    const secret = secretOf(value);
    if (kind === "text" && secret !== undefined) return seal(secret, { table, column: name, id });
    const fit = fittedValue(kind, value);
    if (fit === undefined) throw unfit(name, `is no ${kind}`);
    return fit;
  });
  // It has every column of the table: more than those are too many.
  const names = Object.keys(row);
  if (names.length > columns.length) {
    const unknown = names.find((name) => !columns.some((column) => column.name === name));
    throw unfit(unknown ?? "", "is no column of it");
  }
  return values;
}

function fittedValue(kind: ColumnKind, value: unknown): string | number | boolean | Uint8Array | undefined {
  if (kind === "text") return typeof value === "string" ? value : undefined;
  if (kind === "boolean") return typeof value === "boolean" ? value : undefined;
  if (kind === "number or flag" && typeof value === "boolean") return value;
  if (kind !== "bytes") return typeof value === "number" ? value : undefined;
  if (typeof value !== "object" || value === null || !("$bytes" in value)) return undefined;
  return typeof value.$bytes === "string" ? Buffer.from(value.$bytes, "base64") : undefined;
}

function secretOf(value: unknown): string | null | undefined {
  if (typeof value !== "object" || value === null || !("$secret" in value)) return undefined;
  const { $secret } = value;
  return typeof $secret === "string" || $secret === null ? $secret : undefined;
}
