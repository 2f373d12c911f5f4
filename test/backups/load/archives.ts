// Archives for tests of loading: written as the panel writes them, of any rows and with any manifest.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encrypt } from "../../../src/backups/archive/encryption.ts";
import type { Manifest } from "../../../src/backups/archive/manifest.ts";
import { joinArchive, spoolTable, type SpooledTable } from "../../../src/backups/archive/write-archive.ts";
import { receiverOf, type Receiver } from "../../../src/backups/load/receiver.ts";
import { newestMigration, type Database } from "../../../src/db/index.ts";
import { PANEL } from "../../../src/panel/features.ts";
import type { Landing } from "../../landings/landing.ts";

export type ArchiveRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export const KEY = new Uint8Array(32).fill(5);

/** Bytes of an archive of these rows. `about`: what its manifest says in place of the truth. */
export async function archiveOf(
  rows: ArchiveRows,
  about: (manifest: Manifest) => Manifest = (same) => same,
  passphrase = "",
): Promise<Buffer> {
  const spool = mkdtempSync(join(tmpdir(), "signalbox-spool-"));
  const tables: SpooledTable[] = [];
  for (const name of Object.keys(rows).toSorted()) {
    const lines = (async function* () {
      for (const row of rows[name] ?? []) yield { text: `${JSON.stringify(row)}\n`, rows: 1 };
    })();
    tables.push(await spoolTable(spool, name, lines));
  }
  const manifest: Manifest = {
    format: 1,
    version: "0.1.0",
    schema: newestMigration("sqlite"),
    createdAt: 1_800_000_000,
    database: "sqlite",
    history: true,
    audit: true,
    tables: tables.map(({ name, rows: count, sha256 }) => ({ name, rows: count, sha256 })),
  };
  const plain = joinArchive(spool, about(manifest), tables);
  const pieces: Uint8Array[] = [];
  for await (const piece of passphrase === "" ? plain : encrypt(plain, passphrase, randomBytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A source of these bytes, for `loadArchive`. */
export function sourceOf(bytes: Uint8Array): () => AsyncIterable<Uint8Array> {
  return async function* () {
    for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
  };
}

/** What an archive of a landing's database would have: secrets open, and nothing of a moment. */
export function rowsOfLanding({ columns, rows }: Landing, { tables }: Pick<Database, "tables">): ArchiveRows {
  const archived = Object.keys(columns).filter((name) => !tables.has(name) || tables.named(name).archive !== "never");
  const all: Record<string, Record<string, unknown>[]> = Object.fromEntries(archived.map((name) => [name, []]));
  for (const [name, row] of rows) {
    const sealed = tables.has(name) ? tables.named(name).sealed : [];
    const secrets = sealed.flatMap(({ column, partly }) => {
      const text = row[column];
      if (typeof text !== "string" || text === "" || (partly && !text.startsWith("s1."))) return [];
      return [[column, { $secret: `secret of ${name}` }]];
    });
    all[name]?.push({ ...row, ...Object.fromEntries(secrets) });
  }
  return all;
}

/** What a panel says that has this database. */
export function receiver(database: Database): Promise<Receiver> {
  const clock = { now: () => 1_800_000_100_000, after: () => () => {} };
  const deps = { database, reads: database.reads, restores: PANEL.restores, secretKey: KEY, clock };
  return receiverOf({ ...deps, epoch: () => "another epoch" });
}

/** A folder of its own below `parent`. */
export function folder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path);
  return path;
}

/** A file with these bytes. */
export function stored(directory: string, name: string, bytes: Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}
