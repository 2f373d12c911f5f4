// A folder of backups and the maker of its archives, on a database that has rows in every table.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { BackupFolder, type Rehearsed } from "../../../src/backups/stored/backup-folder.ts";
import { BackupMaker, type BackupMakerDeps } from "../../../src/backups/stored/make-backup.ts";
import type { Dialect } from "../../../src/db/index.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase, createMigratedDatabase } from "../../database.ts";
import { addSomeRow } from "../../migrations/fixture.ts";

export async function openMaker(dialect: Dialect, given: Partial<BackupMakerDeps> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-backups-"));
  const { url, drop } = await createMigratedDatabase(dialect);
  const database = await connectTestDatabase(url, entities);
  await addSomeRow(url, database, entities);
  const rehearsed = new Map<string, Rehearsed>();
  const folder = new BackupFolder({ directory: () => join(directory, "backups"), rehearsed: async () => rehearsed });
  const maker = new BackupMaker({
    folder,
    database: { ...database, reads: database.reads, schema: { applied: [], newer: undefined } },
    databaseUrl: url,
    version: "0.1.0",
    secretKey: new Uint8Array(32),
    now: Date.now,
    random: randomBytes,
    log: pino({ level: "silent" }),
    ...given,
  });
  return {
    url,
    database,
    directory: join(directory, "backups"),
    folder,
    maker,
    rehearsed,
    close: async () => {
      await database.close();
      await drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
