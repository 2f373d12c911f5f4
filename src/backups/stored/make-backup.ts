// Makes archives of the panel's database: into the folder of backups, or into a spool for whoever downloads one.
//
// One is made at a time in a process: each takes a copy of the database, so room on the disk and load stay those of
// one. Whoever comes meanwhile waits.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { newestMigration, parseDatabaseUrl, sql, type Database } from "../../db/index.ts";
import { Refusal, requireRoomOnDisk, withRoomOnDisk } from "../../http/index.ts";
import type { RandomSource } from "../../lib/ids.ts";
import { isDiskFull } from "../../lib/on-disk.ts";
import { Turns } from "../../lib/turns.ts";
import { archiveInThread, SPOOL_PREFIX } from "../archive/archive-in-thread.ts";
import { archivedTables, type Included } from "../archive/archived-tables.ts";
import type { MadeArchive } from "../archive/make-archive.ts";
import { FORMAT } from "../archive/manifest.ts";
import type { BackupFile } from "../backup.schema.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { newBackupName } from "./backup-names.ts";

export interface BackupOrder extends Included {
  /** Empty: it is not encrypted. */
  readonly passphrase: string;
  /** A name that no file has; absent: a new one. */
  readonly name?: string;
}

/** Resolves once the archive is on disk under its name. Throws 503 `disk_full`; an abort leaves nothing. */
export type MakeBackup = (order: BackupOrder, signal: AbortSignal) => Promise<BackupFile>;

/** An archive that nobody keeps. */
export interface SpooledBackup {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** What it could be stored as. */
  readonly name: string;
  /** Deletes it. */
  readonly drop: () => Promise<void>;
}

export interface BackupMakerDeps {
  readonly folder: BackupFolder;
  readonly database: Pick<Database, "dialect" | "tables" | "reads" | "schema">;
  readonly databaseUrl: string;
  /** The panel's. */
  readonly version: string;
  readonly secretKey: Uint8Array;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
  readonly log: Logger;
}

/** Room that an archive takes while it is made, for each byte of the database: its copy, and what is made of that. */
const ROOM = { sqlite: 1.5, postgresql: 1 } as const;
const RETRY_SECONDS = 60;

export class BackupMaker {
  readonly #deps: BackupMakerDeps;
  readonly #turns = new Turns();
  /** What is under way, by path: it is no leftover. */
  readonly #live = new Set<string>();

  constructor(deps: BackupMakerDeps) {
    this.#deps = deps;
  }

  /** Whether a path in the folder is of an archive that is being made or sent here. */
  isLive(path: string): boolean {
    return [...this.#live].some((each) => each === path || each.startsWith(`${path}/`) || path === `${each}.part`);
  }

  /** Bytes of the database. */
  async databaseSize(): Promise<number> {
    const { reads } = this.#deps.database;
    const [found] = await reads.query<{ size: number | string }>(
      reads.dialect === "sqlite"
        ? sql`select c.page_count * s.page_size as size from pragma_page_count c, pragma_page_size s`
        : sql`select pg_database_size(current_database()) as size`,
    );
    return Number(found?.size ?? 0);
  }

  readonly makeBackup: MakeBackup = async (order, signal) => {
    const { folder, now, random } = this.#deps;
    const name = order.name ?? newBackupName(now(), order.passphrase !== "", random);
    const file = folder.file(name);
    await folder.make();
    await this.#make(order, file, signal);
    return folder.find(name);
  };

  /** An archive for one download. It is deleted with `drop`. */
  async spool(order: BackupOrder, signal: AbortSignal): Promise<SpooledBackup> {
    const { folder, now, random } = this.#deps;
    await folder.make();
    const directory = await withRoomOnDisk(mkdtemp(join(folder.directory, SPOOL_PREFIX)));
    const name = newBackupName(now(), order.passphrase !== "", random);
    const path = join(directory, name);
    this.#live.add(path);
    const drop = async (): Promise<void> => {
      await rm(directory, { recursive: true, force: true });
      this.#live.delete(path);
    };
    try {
      const { size } = await this.#make(order, path, signal);
      return { path, size, name, drop };
    } catch (error) {
      await drop();
      throw error;
    }
  }

  #make(order: BackupOrder, file: string, signal: AbortSignal): Promise<MadeArchive> {
    return this.#turns.take("archive", async () => {
      signal.throwIfAborted();
      await this.#requireRoom();
      const isOwn = !this.#live.has(file);
      this.#live.add(file);
      try {
        return await this.#archive(order, file, signal);
      } catch (error) {
        if (isDiskFull(error)) throw folderFull(error);
        throw error;
      } finally {
        if (isOwn) this.#live.delete(file);
      }
    });
  }

  async #archive(order: BackupOrder, file: string, signal: AbortSignal): Promise<MadeArchive> {
    const { database, databaseUrl, version, secretKey, log } = this.#deps;
    const { dialect, tables, schema } = database;
    const { history, audit, passphrase } = order;
    if (schema.newer !== undefined)
      log.warn(
        { newer: schema.newer },
        "a newer version made tables that this backup lacks: back up with that version",
      );
    const about = {
      format: FORMAT,
      version,
      schema: newestMigration(dialect),
      database: dialect,
      history,
      audit,
    } as const;
    const location = parseDatabaseUrl(databaseUrl);
    const made = await archiveInThread(
      { location, tables: archivedTables(tables, order), about, file, key: secretKey, passphrase },
      signal,
    );
    if (made.lost > 0)
      log.warn({ secrets: made.lost, file }, "secrets that the key does not open are missing in the backup");
    return made;
  }

  async #requireRoom(): Promise<void> {
    const { folder, database } = this.#deps;
    const room = Math.ceil((await this.databaseSize()) * ROOM[database.dialect]);
    try {
      await requireRoomOnDisk(folder.directory, room);
    } catch (error) {
      if (error instanceof Refusal && error.detail.code === "disk_full") throw folderFull(error);
      throw error;
    }
  }
}

function folderFull(cause: unknown): Refusal {
  const message = "the disk has no room for a backup: make room, or choose another folder";
  return new Refusal("unavailable", { code: "disk_full", message, retryAfter: RETRY_SECONDS, cause });
}
