// What was sent, as files beside the database: `<data>/uploads/<id>.upload`. The rows say which of them are whole
// (`uploads.ts`); what no row names is of nobody, and is swept.
import { mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { withRoomOnDisk } from "../http/index.ts";
import { syncFolder } from "../lib/sync-folder.ts";

/** Bytes that are read at a time. */
const PIECE_BYTES = 64 * 1024;
/** `.lines`: what an older version staged of an import (`jobs/framed-lines.ts`). */
const NAME = /^(\d{1,15})\.(?:upload|lines)$/;

/** A file that grows. */
export interface Growing {
  /** Throws 503 `disk_full`. */
  write(bytes: Uint8Array): Promise<void>;
  /** All of it is there. Resolves when file and name are on disk. Throws 503 `disk_full`. */
  finish(): Promise<void>;
  /** It is of no use. Nothing happens after `finish`. */
  close(): Promise<void>;
}

export class Spool {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** An empty file under this id. */
  async begin(id: number): Promise<Growing> {
    await withRoomOnDisk(mkdir(this.#directory, { recursive: true, mode: 0o700 }));
    const file = await withRoomOnDisk(open(this.#of(id), "w", 0o600));
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
    };
    return {
      write: (bytes) => withRoomOnDisk(writeAll(file, bytes)),
      finish: async () => {
        await withRoomOnDisk(file.sync());
        await close();
        // The name is on disk when its directory is.
        await withRoomOnDisk(syncFolder(this.#directory));
      },
      close,
    };
  }

  /** The bytes in order. The file is open only while a piece is read, so nobody needs to end it. */
  async *read(id: number): AsyncGenerator<Uint8Array, undefined> {
    for (let at = 0; ;) {
      const file = await open(this.#of(id), "r");
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      let bytesRead: number;
      try {
        ({ bytesRead } = await file.read(piece, 0, PIECE_BYTES, at));
      } finally {
        await file.close();
      }
      if (bytesRead === 0) return;
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  /** Its length; undefined: there is none. */
  async length(id: number): Promise<number | undefined> {
    return (await stat(this.#of(id)).catch(absent))?.size;
  }

  async remove(id: number): Promise<void> {
    await rm(this.#of(id), { force: true });
    await rm(join(this.#directory, `${id}.lines`), { force: true });
  }

  /** Ids of the files that are there. */
  async ids(): Promise<ReadonlySet<number>> {
    const names = (await readdir(this.#directory).catch(absent)) ?? [];
    return new Set(names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number));
  }

  #of(id: number): string {
    return join(this.#directory, `${id}.upload`);
  }
}

/** A write may take less than it was given. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
