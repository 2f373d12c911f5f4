// Makes an archive of a database into a file: a snapshot, its rows with their secrets opened, spooled by table, joined
// and encrypted. It runs in a thread of its own (`archive-thread.ts`).
//
// Invariants:
// - The file appears under its name whole and on disk, or not at all; what is begun and fails leaves nothing.
// - A secret that the key does not open keeps no archive from being made: its place is marked, and it is counted.
import { randomBytes } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Location } from "../../db/index.ts";
// Not by `index.ts`: the thread would load all of the database's code, which takes a second.
import { takeSnapshot, type NeutralRow, type Snapshot, type TableShape } from "../../db/snapshot/snapshot.ts";
import { isSealed, openSecret, SealError } from "../../lib/seal.ts";
import { syncFolder } from "../../lib/on-disk.ts";
import { encrypt } from "./encryption.ts";
import type { Manifest } from "./manifest.ts";
import { joinArchive, spoolTable, type SpooledTable } from "./write-archive.ts";

/** A table that goes into archives. */
export interface ArchivedTable extends TableShape {
  /** Columns whose texts are sealed; `partly`: not every text of it is. */
  readonly sealed: readonly { readonly column: string; readonly partly: boolean }[];
}

export interface ArchiveOrder {
  readonly location: Location;
  readonly tables: readonly ArchivedTable[];
  readonly about: Omit<Manifest, "createdAt" | "tables">;
  /** An empty directory of its own, on a disk with room for a copy of the database. */
  readonly spool: string;
  /** Its name is taken by nobody; nobody else writes a file with `.part` behind it. */
  readonly file: string;
  readonly key: Uint8Array;
  /** Empty: the archive is not encrypted. */
  readonly passphrase: string;
}

export interface MadeArchive {
  readonly manifest: Manifest;
  /** Bytes. */
  readonly size: number;
  /** Secrets that the key did not open. */
  readonly lost: number;
}

/** What stands in an archive for a sealed text: the text, or null where it could not be opened. */
export interface ArchivedSecret {
  readonly $secret: string | null;
}

/** `now`: Unix milliseconds. Rejects with what the database, the disk or the key's owner says. */
export async function makeArchive(order: ArchiveOrder, now: () => number): Promise<MadeArchive> {
  const { location, tables, about, spool } = order;
  const snapshot = await takeSnapshot(location, tables, spool);
  const createdAt = Math.floor(now() / 1000);
  const opener = new SecretOpener(order.key);
  const spooled: SpooledTable[] = [];
  try {
    for (const table of tables) spooled.push(await spoolTable(spool, table.name, linesOf(snapshot, table, opener)));
  } finally {
    await snapshot.close();
  }
  const named = spooled.map(({ name, rows, sha256 }) => ({ name, rows, sha256 }));
  const manifest: Manifest = { ...about, createdAt, tables: named };
  const size = await writeWhole(order, joinArchive(spool, manifest, spooled));
  return { manifest, size, lost: opener.lost };
}

async function* linesOf(
  snapshot: Snapshot,
  table: ArchivedTable,
  opener: SecretOpener,
): AsyncGenerator<{ readonly text: string; readonly rows: number }, undefined> {
  for await (const rows of snapshot.rows(table)) {
    const lines = rows.map((row) => `${JSON.stringify(opener.opened(table, row))}\n`);
    yield { text: lines.join(""), rows: rows.length };
  }
}

class SecretOpener {
  readonly #key: Uint8Array;
  lost = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The row with its secrets in place of what is sealed. */
  opened({ name, key, sealed }: ArchivedTable, row: NeutralRow): NeutralRow {
    if (sealed.length === 0) return row;
    const id = row[key];
    if (typeof id !== "number" && typeof id !== "string") throw new Error(`${name} has a row without a key`);
    const secrets = sealed.flatMap(({ column, partly }) => {
      const text = row[column];
      if (typeof text !== "string" || text === "" || (partly && !isSealed(text))) return [];
      return [[column, { $secret: this.#open(text, { table: name, column, id }) } satisfies ArchivedSecret]];
    });
    return { ...row, ...Object.fromEntries(secrets) };
  }

  #open(text: string, place: Parameters<typeof openSecret>[2]): string | null {
    try {
      return openSecret(this.#key, text, place);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.lost++;
      return null;
    }
  }
}

/** Writes the file under another name, and renames it once it is on disk. Resolves to its size. */
async function writeWhole({ file, passphrase }: ArchiveOrder, plain: AsyncIterable<Uint8Array>): Promise<number> {
  const part = `${file}.part`;
  try {
    const handle = await open(part, "wx", 0o600);
    try {
      await handle.writeFile(passphrase === "" ? plain : encrypt(plain, passphrase, randomBytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
  return (await stat(file)).size;
}
