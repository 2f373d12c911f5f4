// Why an archive that is whole is not loaded.
// Not by `index.ts`, here and in what else the thread loads: all of the database's code takes a second.
import { SchemaUnknown } from "../../db/migrate.ts";
import { RowUnfit } from "../../db/snapshot/loader.ts";

/**
 * `format`: its tables or rows are not those of its schema, or the schema is none of this version's. `no_admins`:
 * nobody could sign in.
 */
export class LoadRefused extends Error {
  override readonly name = "LoadRefused";
  readonly code: "format" | "no_admins";

  constructor(code: "format" | "no_admins", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A table or a row is not what it must be. */
export function unfit(message: string, cause?: unknown): LoadRefused {
  return new LoadRefused("format", message, cause === undefined ? undefined : { cause });
}

/** What building a database threw, as what it says of the archive; other errors are passed on. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof RowUnfit || error instanceof SchemaUnknown) return unfit(error.message, error);
  if (isOfTheRows(error)) return unfit(`its rows do not become those of this version: ${error.message}`, error);
  return error;
}

/** A migration that rows stopped: a value or a constraint, on either database. */
function isOfTheRows(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return /^(?:SQLITE_CONSTRAINT|SQLITE_MISMATCH|2[23][0-9A-Z]{3}$)/.test(String(error.code));
}
