// What loading an archive needs to know of the panel that takes it: plain data, so that it can be handed to a thread.
import type { Archived, Key, NeutralRow, TableShape } from "../../db/index.ts";

/** A table of this version. */
export interface KnownTable extends Omit<TableShape, "columns"> {
  readonly columns: readonly (TableShape["columns"][number] & { readonly nullable: boolean })[];
  /** See `entity()`; undefined: every archive has it. */
  readonly archive: Archived | undefined;
  /** Columns whose texts are sealed; `partly`: not every text of it is. */
  readonly sealed: readonly { readonly column: string; readonly partly: boolean }[];
}

/** SQL as the target's driver takes it. */
export interface PlainSql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What stays from the database in use. */
export interface Kept {
  /** These settings are as they are now: those of `rows`, and no others of these keys. */
  readonly settings: { readonly keys: readonly string[]; readonly rows: readonly NeutralRow[] };
  /** The panel's certificate, with its secret opened; undefined: `web_cert_id` names none. */
  readonly certificate: NeutralRow | undefined;
}

export interface Receiver {
  readonly tables: readonly KnownTable[];
  /** Secrets are sealed under it. */
  readonly key: Uint8Array;
  /** Run once all rows are there, in today's schema. */
  readonly restored: readonly PlainSql[];
  /** Returns a row for each main admin who can sign in. */
  readonly admits: PlainSql;
  /** The next ids of the database in use, by sequence: none of them is given out again. */
  readonly ids: ReadonlyMap<Key, number>;
  readonly kept: Kept;
}
