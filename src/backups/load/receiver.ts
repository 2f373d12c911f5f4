// What loading an archive needs to know of the panel that takes it: plain data, so that it can be handed to a thread.
import {
  neutralRow,
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
import { isSealed, openSecret, SealError } from "../../lib/seal.ts";

/** A table of this version. */
export interface KnownTable extends Omit<TableShape, "columns"> {
  readonly columns: readonly (TableShape["columns"][number] & { readonly nullable: boolean })[];
  /** See `entity()`; undefined: every archive has it. */
  readonly archive: Archived | undefined;
  /** Columns whose texts are sealed; `partly`: not every text of it is. */
  readonly sealed: Table["sealed"];
}

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
  /** Run once all rows are there, in today's schema; as the panel's database takes it. */
  readonly restored: readonly Statement[];
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

/** The settings that say where this installation is reached. */
const WEB_SETTINGS: readonly string[] = [
  "web_domain",
  "web_basepath",
  "web_listen_ip",
  "web_listen_port",
  "web_tls_mode",
  "web_cert_file",
  "web_key_file",
  "web_cert_id",
];

/** `webSettings`: the settings that say where the panel is reached stay, and its certificate. */
export async function receiverOf(deps: ReceiverDeps, keep: { readonly webSettings: boolean }): Promise<Receiver> {
  const { database, reads, restores, secretKey, clock, epoch } = deps;
  const ids = await reads.query<{ name: string; next: number }>(sql`select name, next from id_blocks`);
  return {
    schema: newestMigration(database.dialect),
    tables: [...database.tables.all()].map(knownTable),
    key: secretKey,
    restored: restores.restored(reads, { now: clock.now(), epoch: epoch() }),
    admits: restores.admits,
    ids: new Map(ids.map(({ name, next }) => [name, Number(next)])),
    kept: keep.webSettings ? await keptOf(deps) : { settings: { keys: [], rows: [] }, certificate: undefined },
  };
}

function knownTable(table: Table): KnownTable {
  const columns = table.columns.map(({ name, kind, nullable }) => ({ name, kind, nullable }));
  return { ...shapeOf(table), columns, archive: table.archive, sealed: table.sealed };
}

async function keptOf(deps: ReceiverDeps): Promise<Kept> {
  const rows = await rowsOf(deps, "settings", WEB_SETTINGS);
  const named = Number(rows.find(({ id }) => id === "web_cert_id")?.["value"] ?? "");
  const [certificate] = Number.isInteger(named) && named > 0 ? await rowsOf(deps, "certificates", [named]) : [];
  return { settings: { keys: WEB_SETTINGS, rows }, certificate };
}

/** Rows by key, as an archive has them. */
async function rowsOf(
  { database, reads, secretKey }: ReceiverDeps,
  name: string,
  ids: readonly (string | number)[],
): Promise<NeutralRow[]> {
  const table = database.tables.named(name);
  const key = sql.ref(table.key.name);
  const rows = await reads.query(sql`select * from ${sql.table(name)} where ${key} in (${sql.join(ids)})`);
  return rows.map((row) => openedRow(table, neutralRow(shapeOf(table), row), secretKey));
}

/** Its secrets stand in it opened; one that does not open is lost. */
function openedRow({ name, key, sealed }: Table, row: NeutralRow, secretKey: Uint8Array): NeutralRow {
  const opened = sealed.flatMap(({ column }) => {
    const text = row[column];
    if (typeof text !== "string" || !isSealed(text)) return [];
    return [[column, { $secret: open(secretKey, text, { table: name, column, id: row[key.name] as string | number }) }]];
  });
  return { ...row, ...Object.fromEntries(opened) };
}

function open(key: Uint8Array, text: string, place: Parameters<typeof openSecret>[2]): string | null {
  try {
    return openSecret(key, text, place);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
