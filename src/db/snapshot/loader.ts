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
  /** Throws `RowUnfit`. */
  load(table: string, rows: readonly NeutralRow[]): Promise<void>;
  /** All rows are there: ids that the database gives itself go on behind theirs. */
  finish(): Promise<void>;
}

/** The values of a row by column, as they are written. Throws `RowUnfit`. */
export function fitted(
  table: string,
  columns: readonly LoadColumn[],
  key: string,
  row: NeutralRow,
  seal: SealText,
): ReadonlyMap<string, string | number | boolean | null | Uint8Array> {
  const id = row[key];
  if (typeof id !== "number" && typeof id !== "string") throw new RowUnfit(`a row of ${table} has no ${key}`);
  const unfit = (column: string, why: string) => new RowUnfit(`${column} of ${id} in ${table} ${why}`);
  const unknown = Object.keys(row).find((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined) throw unfit(unknown, "is no column of it");
  return new Map(
    columns.map(({ name, kind, nullable }) => {
      const value = row[name];
      if (value === undefined) throw unfit(name, "is missing");
      if (value === null && kind !== "json") {
        if (!nullable) throw unfit(name, "is null");
        return [name, null];
      }
      if (kind === "json") return [name, value === null && nullable ? null : JSON.stringify(value)];
      const secret = secretOf(value);
      if (kind === "text" && secret !== undefined) return [name, seal(secret, { table, column: name, id })];
      const fit = fittedValue(kind, value);
      if (fit === undefined) throw unfit(name, `is no ${kind}`);
      return [name, fit];
    }),
  );
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
