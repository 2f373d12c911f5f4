// What comes out of an archive, on its way into a database: whether its tables are those of its schema, secrets under
// the panel's own key, and what is counted of it.
//
// Invariants:
// - Rows of tables that are of a process, a machine or a moment never come back, whatever an archive has.
// - A secret goes into a column that holds secrets, sealed for its place under this panel's key; into no other one, and
//   nothing goes there that is sealed already.
import type { SealText } from "../../db/index.ts";
import { isSealed, sealSecret } from "../../lib/seal.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { ArchivedRow } from "../archive/read-archive.ts";
import { unfit } from "./load-refused.ts";
import type { KnownTable, Receiver } from "./receiver.ts";

/** Records that are counted for whoever looks at an archive. */
const COUNTED = ["admins", "users", "nodes"] as const;
export type RecordCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** The database's own list of migrations is in no archive. */
const UNARCHIVED = "schema_migrations";

export class Intake {
  readonly #manifest: Manifest;
  readonly #receiver: Receiver;
  readonly #known: ReadonlyMap<string, KnownTable>;
  #secrets = 0;
  #lost = 0;

  constructor(manifest: Manifest, receiver: Receiver) {
    this.#manifest = manifest;
    this.#receiver = receiver;
    this.#known = new Map(receiver.tables.map((table) => [table.name, table]));
  }

  /** Secrets of the archive, and those that could not be opened when it was made. */
  get secrets(): { readonly all: number; readonly lost: number } {
    return { all: this.#secrets, lost: this.#lost };
  }

  /** Tables and rows that are loaded. */
  get loaded(): { readonly tables: number; readonly rows: number } {
    const loaded = this.#manifest.tables.filter(({ name }) => this.isLoaded(name));
    return { tables: loaded.length, rows: loaded.reduce((sum, { rows }) => sum + rows, 0) };
  }

  get counts(): RecordCounts {
    const rowsOf = (table: string) => this.#manifest.tables.find(({ name }) => name === table)?.rows ?? 0;
    return Object.fromEntries(COUNTED.map((name) => [name, rowsOf(name)])) as RecordCounts;
  }

  /** Sentences on what comes back otherwise than it was. */
  get warnings(): string[] {
    const { version, schema, tables } = this.#manifest;
    const left = tables.filter(({ name, rows }) => rows > 0 && !this.isLoaded(name)).map(({ name }) => name);
    return [
      ...(schema < this.#receiver.schema
        ? [`The archive is of an older version (${version}): its records are brought up to this one.`]
        : []),
      ...(this.#lost > 0
        ? [
            `${this.#lost} of ${this.#secrets} secrets could not be opened when the archive was made, since they were sealed under another key: they come back empty.`,
          ]
        : []),
      ...(left.length > 0 ? [`What the archive has of ${left.join(", ")} does not come back.`] : []),
    ];
  }

  isLoaded(table: string): boolean {
    return this.#known.get(table)?.archive !== "never";
  }

  /** Why the tables are not those of the archive's schema, which are `tables`; sentences. */
  misfits(tables: ReadonlySet<string>): string[] {
    const named = new Set(this.#manifest.tables.map(({ name }) => name));
    const strange = [...named].filter((name) => !tables.has(name) || name === UNARCHIVED);
    const lacking = [...tables].filter((name) => !named.has(name) && this.#promises(name) === true);
    const uninvited = [...named].filter((name) => tables.has(name) && this.#promises(name) === false);
    const list = (names: readonly string[]) => names.toSorted().join(", ");
    return [
      ...(strange.length > 0 ? [`the archive has tables that its schema does not have: ${list(strange)}`] : []),
      ...(lacking.length > 0 ? [`the archive lacks tables that it must have: ${list(lacking)}`] : []),
      ...(uninvited.length > 0 ? [`the archive has tables that its manifest excludes: ${list(uninvited)}`] : []),
    ];
  }

  /** Whether the manifest says that a table is there; undefined: it says nothing of it. */
  #promises(table: string): boolean | undefined {
    const known = this.#known.get(table);
    if (!known || known.archive === "never") return undefined;
    return known.archive === undefined || this.#manifest[known.archive];
  }

  readonly seal: SealText = (secret, place) => {
    const table = this.#known.get(place.table);
    const isKnown = table?.columns.some(({ name }) => name === place.column) === true;
    // An older version may have had columns with secrets that this one no longer has.
    if (isKnown && !table.sealed.some(({ column }) => column === place.column))
      throw unfit(`${place.column} of ${place.id} in ${place.table} holds a secret where none is kept`);
    this.#secrets++;
    if (secret !== null) return sealSecret(this.#receiver.key, secret, place);
    this.#lost++;
    return "";
  };

  /** Throws `LoadRefused` where a secret is not open, as it must be in an archive. */
  refuseSealed(name: string, rows: readonly ArchivedRow[]): void {
    for (const { column, partly } of this.#known.get(name)?.sealed ?? [])
      for (const row of rows) {
        const text = row[column];
        if (typeof text === "string" && text !== "" && (!partly || isSealed(text)))
          throw unfit(`${column} in ${name} is sealed under another key, or never was`);
      }
  }
}
