// Content by its SHA-256: files in `<data>/staged/`, each under its digest. It is written under another name, synced
// and renamed, so that what has a digest for a name was whole; and it is read once before its first use, since a disk
// may lose what it said it had.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Refusal, roomToGrow, withRoomOnDisk } from "../http/index.ts";
import { absent, syncFolder } from "../lib/on-disk.ts";

const DIGEST = /^[0-9a-f]{64}$/;
const DRAFT = /^new-[0-9a-f-]{36}$/;

export interface Content {
  readonly sha256: string;
  readonly size: number;
}

export class ContentFiles {
  readonly #directory: string;
  /** What was found whole: digest and what the file was then. */
  readonly #verified = new Map<string, string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Throws 413 where it is longer than `most`, 503 `disk_full`, and what the source throws; nothing stays then. */
  write(source: AsyncIterable<Uint8Array>, most: number): Promise<Content> {
    return this.#drafted(source, most, async (draft, content) => {
      await this.#place(draft, content);
      return content;
    });
  }

  /** Writes content that is known. False where the source has another one; nothing stays then. */
  copy({ sha256, size }: Content, source: AsyncIterable<Uint8Array>): Promise<boolean> {
    return this.#drafted(source, size, async (draft, content) => {
      if (content.sha256 !== sha256) return false;
      await this.#place(draft, content);
      return true;
    });
  }

  /** The file with this content; undefined where it is not there or was altered. */
  async find({ sha256, size }: Content): Promise<string | undefined> {
    const path = this.pathOf(sha256);
    const is = await identityOf(path);
    if (is === undefined) return undefined;
    if (this.#verified.get(sha256) === is) return path;
    const found = createHash("sha256");
    let length = 0;
    for await (const piece of this.read(sha256)) {
      found.update(piece);
      length += piece.length;
    }
    if (length === size && found.digest("hex") === sha256) {
      this.#verified.set(sha256, is);
      return path;
    }
    await rm(path, { force: true });
    return undefined;
  }

  read(sha256: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.pathOf(sha256), { highWaterMark: 1024 * 1024 });
  }

  pathOf(sha256: string): string {
    return join(this.#directory, sha256);
  }

  /** Deletes what was not touched since `before` (Unix milliseconds) and is not kept: also what a kill left half. */
  async sweep(kept: (sha256: string) => boolean, before: number): Promise<void> {
    const names = await readdir(this.#directory).catch(absent);
    for (const name of names ?? []) {
      const path = join(this.#directory, name);
      if (!DRAFT.test(name) && (!DIGEST.test(name) || kept(name))) continue;
      const touched = (await lstat(path).catch(absent))?.mtimeMs ?? before;
      if (touched >= before) continue;
      this.#verified.delete(name);
      await rm(path, { force: true });
    }
  }

  async #drafted<T>(
    source: AsyncIterable<Uint8Array>,
    most: number,
    use: (draft: string, content: Content) => Promise<T>,
  ): Promise<T> {
    const draft = join(this.#directory, `new-${randomUUID()}`);
    try {
      return await withRoomOnDisk(this.#draft(draft, source, most).then((content) => use(draft, content)));
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #place(draft: string, { sha256 }: Content): Promise<void> {
    const path = this.pathOf(sha256);
    await rename(draft, path);
    await syncFolder(this.#directory);
    const is = await identityOf(path);
    if (is !== undefined) this.#verified.set(sha256, is);
  }

  async #draft(path: string, source: AsyncIterable<Uint8Array>, most: number): Promise<Content> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const digest = createHash("sha256");
    const requireRoom = roomToGrow(this.#directory);
    let size = 0;
    const file = await open(path, "wx", 0o600);
    try {
      for await (const piece of source) {
        await requireRoom(size);
        size += piece.length;
        if (size > most) throw new Refusal("too_large");
        digest.update(piece);
        await file.writeFile(piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const now = new Date();
    await utimes(path, now, now);
    return { sha256: digest.digest("hex"), size };
  }
}

/** What tells that a file is still the one that was read. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(absent);
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}
