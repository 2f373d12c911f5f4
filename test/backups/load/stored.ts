// Archives in the folder of a panel that runs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archiveInThread } from "../../../src/backups/archive/archive-in-thread.ts";
import { archivedTables } from "../../../src/backups/archive/archived-tables.ts";
import { newestMigration, parseDatabaseUrl } from "../../../src/db/index.ts";
import { parseKey } from "../../../src/lib/seal.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase } from "../../database.ts";
import type { WholePanel } from "../../whole-panel.ts";

/** The path of an archive in the panel's folder, whether it is there or not. */
export function backupPath({ directory }: WholePanel, name: string): string {
  const folder = join(directory, "backups");
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

/** Makes an archive of the panel's database there. `key`: in place of the panel's own. */
export async function archivePanel(
  panel: WholePanel,
  name: string,
  { passphrase = "", key }: { readonly passphrase?: string; readonly key?: Uint8Array } = {},
): Promise<Buffer> {
  const database = await connectTestDatabase(panel.databaseUrl, entities);
  const included = { history: true, audit: true };
  const tables = archivedTables(database.tables, included);
  await database.close();
  const location = parseDatabaseUrl(panel.databaseUrl);
  const schema = newestMigration(location.dialect);
  const file = backupPath(panel, name);
  const own = parseKey(readFileSync(join(panel.directory, "secret.key"), "utf8"), "the file");
  const about = { format: 1, version: "0.1.0", schema, database: location.dialect, ...included } as const;
  await archiveInThread({ location, tables, about, file, key: key ?? own, passphrase }, new AbortController().signal);
  return readFileSync(file);
}

/** Puts a file there. */
export function storeBackup(panel: WholePanel, name: string, bytes: Uint8Array): void {
  writeFileSync(backupPath(panel, name), bytes);
}
