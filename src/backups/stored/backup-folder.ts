// The folder of backups: which of its files are archives, and what they say of themselves. Whatever else lies there is
// left alone.
//
// Invariants:
// - A file counts as an archive by its content, and only where its name could be one's: no link, nothing hidden.
// - What the folder says is read from it each time: people copy archives into it and out of it.
import { mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { createReadStream, constants, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { notFound, withRoomOnDisk } from "../../http/index.ts";
import { absent, syncFolder } from "../../lib/on-disk.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { isEncrypted } from "../archive/encryption.ts";
import type { Manifest } from "../archive/manifest.ts";
import { readManifest } from "../archive/read-archive.ts";
import type { BackupFile } from "../backup.schema.ts";
import { canBeBackup, refuseForeignName } from "./backup-names.ts";

/** How an archive came out when it was tried out. */
export interface Rehearsed {
  /** Unix seconds. */
  readonly at: number;
  readonly outcome: "ok" | "failed";
}

export interface BackupFolderDeps {
  /** Absolute; asked each time, since a setting says it. */
  readonly directory: () => string;
  /** The archives that were tried out, by name. */
  readonly rehearsed: () => Promise<ReadonlyMap<string, Rehearsed>>;
}

/** What a file's first bytes say; undefined: it is no archive. */
type Read = { readonly encrypted: boolean; readonly manifest: Manifest | null } | undefined;

/** An archive that is open. */
export interface OpenBackup {
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
  /** Names its content: another one has another. */
  readonly etag: string;
  readonly modified: Date;
}

export class BackupFolder {
  readonly #deps: BackupFolderDeps;
  /** What files say, as long as they are what they were when they were read. */
  readonly #read = new Map<string, { readonly version: string; readonly read: Read }>();

  constructor(deps: BackupFolderDeps) {
    this.#deps = deps;
  }

  get directory(): string {
    return this.#deps.directory();
  }

  /** The path of an archive, whether it is there or not. Throws 400 `format` for a name that no backup can have. */
  file(name: string): string {
    refuseForeignName(name);
    return join(this.directory, name);
  }

  /** Newest first. `directory`: another folder than the one that holds. */
  async list(directory = this.directory): Promise<BackupFile[]> {
    const names = ((await readdir(directory).catch(absent)) ?? []).filter(canBeBackup);
    const rehearsed = await this.#deps.rehearsed();
    const found: BackupFile[] = [];
    for (const name of names) {
      const file = await this.#describe(join(directory, name), name, rehearsed);
      if (file) found.push(file);
    }
    for (const path of this.#read.keys())
      if (!names.some((name) => path === join(directory, name))) this.#read.delete(path);
    return found.toSorted((one, other) => other.createdAt - one.createdAt || (one.name < other.name ? 1 : -1));
  }

  /** Throws 400 `format`, and 404 where there is none of this name. */
  async find(name: string): Promise<BackupFile> {
    const file = await this.#describe(this.file(name), name, await this.#deps.rehearsed());
    return file ?? notFound("backup", name);
  }

  /** Opens an archive; the caller closes it. Throws 400 `format` and 404. */
  async open(name: string): Promise<OpenBackup> {
    await this.find(name);
    const handle = await openPlain(this.file(name));
    if (!handle) notFound("backup", name);
    try {
      const facts = await handle.stat({ bigint: true });
      return { handle, size: Number(facts.size), etag: `"${versionOf(facts)}"`, modified: facts.mtime };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Deletes an archive. Throws 400 `format` and 404. */
  async remove(name: string): Promise<void> {
    await this.find(name);
    await rm(this.file(name), { force: true });
    await syncFolder(this.directory);
  }

  /** Makes the folder where there is none, for its owner alone. Throws 503 `disk_full`. */
  async make(): Promise<void> {
    await withRoomOnDisk(mkdir(this.directory, { recursive: true, mode: 0o700 }));
  }

  async #describe(
    path: string,
    name: string,
    rehearsed: ReadonlyMap<string, Rehearsed>,
  ): Promise<BackupFile | undefined> {
    const handle = await openPlain(path);
    if (!handle) return undefined;
    try {
      const facts = await handle.stat({ bigint: true });
      if (!facts.isFile()) return undefined;
      const read = await this.#readOnce(path, versionOf(facts));
      if (!read) return undefined;
      const tried = rehearsed.get(name);
      return {
        name,
        size: Number(facts.size),
        createdAt: read.manifest?.createdAt ?? Number(facts.mtimeMs / 1000n),
        encrypted: read.encrypted,
        manifest: read.manifest,
        rehearsedAt: tried?.at ?? null,
        rehearsal: tried?.outcome ?? null,
      };
    } finally {
      await handle.close();
    }
  }

  async #readOnce(path: string, version: string): Promise<Read> {
    const known = this.#read.get(path);
    if (known?.version === version) return known.read;
    const read = await readStart(path);
    this.#read.set(path, { version, read });
    return read;
  }
}

/** Undefined where there is nothing, or a link. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    // A pipe would have the panel wait for whoever writes into it.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ELOOP" || code === "ENXIO" || code === "EISDIR") return undefined;
    throw error;
  }
}

/** Changes with every write, and with every other file that gets its name. */
function versionOf({ ino, size, mtimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs].map((each) => each.toString(16)).join("-");
}

async function readStart(path: string): Promise<Read> {
  const start = Buffer.alloc(8);
  const handle = await open(path, "r");
  try {
    await handle.read(start, 0, start.length, 0);
  } finally {
    await handle.close();
  }
  if (isEncrypted(start)) return { encrypted: true, manifest: null };
  try {
    return { encrypted: false, manifest: await readManifest(createReadStream(path) as AsyncIterable<Buffer>) };
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}

/** Whether a path is there. */
export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(absent)) !== undefined;
}
