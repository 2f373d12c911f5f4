// An archive of a panel that runs, as its own backups make it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archivedTables } from "../../../src/backups/archive/archived-tables.ts";
import { makeArchive } from "../../../src/backups/archive/make-archive.ts";
import { newestMigration, parseDatabaseUrl } from "../../../src/db/index.ts";
import { findKey } from "../../../src/lib/seal.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase } from "../../database.ts";

interface Archived {
  readonly bytes: Uint8Array;
  readonly tables: number;
  readonly rows: number;
  readonly digests: ReadonlyMap<string, string>;
}

export async function archiveOf(
  { databaseUrl, directory }: { readonly databaseUrl: string; readonly directory: string },
  passphrase = "",
): Promise<Archived> {
  const database = await connectTestDatabase(databaseUrl, entities);
  const spool = mkdtempSync(join(tmpdir(), "signalbox-archive-of-"));
  try {
    const location = parseDatabaseUrl(databaseUrl);
    const { dialect } = location;
    const included = { history: true, audit: true };
    const tables = archivedTables(database.tables, included);
    const about = {
      format: 1,
      version: "0.1.0",
      schema: newestMigration(dialect),
      database: dialect,
      ...included,
    } as const;
    const file = join(spool, "made.tar.gz");
    const key = findKey({ file: join(directory, "secret.key"), fromEnvironment: undefined }) ?? new Uint8Array(32);
    const { manifest } = await makeArchive({ location, tables, about, spool, file, key, passphrase }, Date.now);
    return {
      bytes: readFileSync(file),
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, each) => sum + each.rows, 0),
      digests: new Map(manifest.tables.map(({ name, sha256 }) => [name, sha256])),
    };
  } finally {
    await database.close();
    rmSync(spool, { recursive: true, force: true });
  }
}
