// Rehearsals: an archive is loaded as a restore would load it, with all of its checks, and what was loaded is thrown
// away. No part of a panel opens it, so no link, timer or effect begins (rule backups.rehearse.2).
//
// On SQLite it is loaded into a file in a scratch directory, on PostgreSQL into a schema of a transaction that is
// rolled back. A kill leaves nothing on PostgreSQL, and on SQLite a directory that the next start sweeps.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RandomSource } from "../../lib/ids.ts";
import { absent } from "../../lib/on-disk.ts";
import type { Clock } from "../../lib/clock.ts";
import { Turns } from "../../lib/turns.ts";
import { requireRoomOnDisk } from "../../http/index.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import type { BackupRehearsal } from "../backup.schema.ts";
import type { Loaded, LoadTarget } from "./load-archive.ts";
import { loadInThread, SCRATCH_PREFIX, withScratch } from "./load-in-thread.ts";
import { LoadRefused } from "./load-refused.ts";
import type { Receiver } from "./receiver.ts";

export interface RehearsalsDeps {
  readonly folder: {
    /** Throws 400 `format` and 404. */
    find(name: string): Promise<{ readonly size: number }>;
    file(name: string): string;
  };
  readonly databaseUrl: string;
  /** Where scratch directories are made. */
  readonly scratch: string;
  readonly receiver: () => Promise<Receiver>;
  /** Keeps how an archive came out. `at`: Unix seconds. */
  readonly record: (name: string, at: number, outcome: "ok" | "failed") => Promise<void>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Bytes of a SQLite database for each one of its archive. */
const UNPACKED = 10;
/** A scratch directory of another process is in use for less than that. */
const LEFT_MS = 24 * 3600 * 1000;

export class Rehearsals {
  readonly #deps: RehearsalsDeps;
  readonly #turns = new Turns();
  readonly #stopped = new AbortController();

  constructor(deps: RehearsalsDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves once it is recorded how it went; one archive at a time. It goes on when nobody waits for it any longer.
   * Throws `ArchiveError` where the passphrase is missing or another one, 404, and 503 `disk_full`.
   */
  rehearse(name: string, passphrase: string): Promise<BackupRehearsal> {
    return this.#turns.take("rehearsal", async () => {
      this.#stopped.signal.throwIfAborted();
      const { folder, clock, record } = this.#deps;
      const { size } = await folder.find(name);
      const began = clock.now();
      const tried = await this.#load(folder.file(name), size, passphrase);
      const ended = clock.now();
      await record(name, Math.floor(ended / 1000), tried.ok ? "ok" : "failed");
      return { ...tried, seconds: Math.max(0, ended - began) / 1000 };
    });
  }

  /** Ends what is running: it is not recorded. */
  stop(): void {
    this.#stopped.abort(new Error("the panel is shutting down"));
  }

  /** Deletes what killed processes left. `alone`: no other one can have a directory there. */
  async sweep(alone: boolean): Promise<void> {
    const { scratch, clock } = this.#deps;
    for (const name of (await readdir(scratch).catch(absent)) ?? []) {
      if (!name.startsWith(SCRATCH_PREFIX)) continue;
      const path = join(scratch, name);
      const found = await stat(path).catch(absent);
      if (found && (alone || found.mtimeMs < clock.now() - LEFT_MS)) await rm(path, { recursive: true, force: true });
    }
  }

  async #load(file: string, size: number, passphrase: string): Promise<Omit<BackupRehearsal, "seconds">> {
    const receiver = await this.#deps.receiver();
    const order = { file, passphrase, receiver };
    try {
      const loaded = await this.#onScratch(size, (target) => loadInThread({ ...order, target }, this.#stopped.signal));
      return judged(loaded);
    } catch (error) {
      if (!isOfTheArchive(error)) throw error;
      const none = { tables: 0, rows: 0, admins: 0, users: 0, nodes: 0 };
      return { ok: false, ...none, warnings: [sentence(error.message)] };
    }
  }

  #onScratch(size: number, use: (target: LoadTarget) => Promise<Loaded>): Promise<Loaded> {
    const { databaseUrl: url, scratch, random } = this.#deps;
    if (!url.startsWith("sqlite:")) {
      const schema = `signalbox_rehearsal_${Buffer.from(random(8)).toString("hex")}`;
      return use({ postgresql: { url, schema, end: "rollback" } });
    }
    return withScratch(scratch, async (directory) => {
      await requireRoomOnDisk(directory, size * UNPACKED);
      return use({ sqlite: join(directory, "rehearsal.db") });
    });
  }
}

/** A secret or two may be lost; all of them are where the archive was made under another key. */
function judged({ tables, rows, admins, users, nodes, secrets, warnings }: Loaded): Omit<BackupRehearsal, "seconds"> {
  const ok = secrets.all === 0 || secrets.lost < secrets.all;
  return { ok, tables, rows, admins, users, nodes, warnings: [...warnings] };
}

/** It is the archive that is wrong, and not what the caller says of it. */
function isOfTheArchive(error: unknown): error is Error {
  return error instanceof LoadRefused || (error instanceof ArchiveError && error.code === "format");
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
