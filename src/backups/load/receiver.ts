// What loading an archive needs to know of the panel that takes it: plain data, so that it can be handed to a thread.
import {
  newestMigration,
  shapeOf,
  sql,
  type Archived,
  type Database,
  type NeutralRow,
  type Reader,
  type Statement,
  type Table,
  type TableShape,
} from "../../db/index.ts";
import type { Admittance, Restores } from "../../feature/index.ts";
import type { Clock } from "../../lib/clock.ts";

/** A table of this version. */
export interface KnownTable extends Omit<TableShape, "columns"> {
  readonly columns: readonly (TableShape["columns"][number] & { readonly nullable: boolean })[];
  /** See `entity()`; undefined: every archive has it. */
  readonly archive: Archived | undefined;
  /** Columns whose texts are sealed; `partly`: not every text of it is. */
  readonly sealed: Table["sealed"];
}

/** A statement as the target's driver takes it. */
export type PlainSql = Pick<Statement, "text" | "values">;

/** What stays from the database in use. */
export interface Kept {
  /** These settings are as they are now: those of `rows`, and no others of these keys. */
  readonly settings: { readonly keys: readonly string[]; readonly rows: readonly NeutralRow[] };
  /** The panel's certificate, its secret opened; undefined: `web_cert_id` names none. */
  readonly certificate: NeutralRow | undefined;
}

export interface Receiver {
  /** The newest migration of this version. */
  readonly schema: string;
  readonly tables: readonly KnownTable[];
  /** Secrets are sealed under it. */
  readonly key: Uint8Array;
  /** Run once all rows are there, in today's schema; as the panel's database takes them. */
  readonly restored: readonly PlainSql[];
  readonly admits: Admittance;
  /** Where sequences of ids go on in the database in use: none of them is given out again. */
  readonly ids: ReadonlyMap<string, number>;
  readonly kept: Kept;
}

export interface ReceiverDeps {
  readonly database: Pick<Database, "dialect" | "tables">;
  readonly reads: Reader;
  readonly restores: Restores;
  readonly secretKey: Uint8Array;
  readonly clock: Clock;
  /** Names the history that begins: no other has the name. */
  readonly epoch: () => string;
}

const NOTHING: Kept = { settings: { keys: [], rows: [] }, certificate: undefined };

/** `kept`: what stays of the database in use. */
export async function receiverOf(deps: ReceiverDeps, kept: Kept = NOTHING): Promise<Receiver> {
  const { database, reads, restores, secretKey, clock, epoch } = deps;
  const ids = await reads.query<{ name: string; next: number }>(sql`select name, next from id_blocks`);
  return {
    schema: newestMigration(database.dialect),
    tables: [...database.tables.all()].map(knownTable),
    key: secretKey,
    restored: restores.restored(reads, { now: clock.now(), epoch: epoch() }),
    admits: restores.admits,
    ids: new Map(ids.map(({ name, next }) => [name, next])),
    kept,
  };
}

function knownTable(table: Table): KnownTable {
  const columns = table.columns.map(({ name, kind, nullable }) => ({ name, kind, nullable }));
  return { ...shapeOf(table), columns, archive: table.archive, sealed: table.sealed };
}
