// What was sent, as files beside the database: `<data>/uploads/<id>.upload`. The rows say which of them are whole
// (`places.ts`); what no row names is of nobody, and is swept.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Refusal, requireRoomOnDisk, roomToGrow, withRoomOnDisk } from "../http/index.ts";
import { absent, syncFolder } from "../lib/on-disk.ts";

/** Bytes that are read at a time. */
const PIECE_BYTES = 64 * 1024;
/** `.lines`: see `framedPath`. */
const NAME = /^(\d{1,15})\.(?:upload|lines)$/;

/** A file that is whole and on disk. */
export interface Spooled {
  readonly id: number;
  readonly length: number;
  readonly sha256: string;
}

/** A file that grows. */
export interface Growing {
  /** Throws 503 `disk_full`. */
  write(bytes: Uint8Array): Promise<void>;
  /** All of it is there. Resolves when file and name are on disk. Throws 503 `disk_full`. */
  finish(): Promise<Spooled>;
  /** It is of no use, and goes. Nothing happens after `finish`. */
  abandon(): Promise<void>;
}

export class Spool {
  readonly #directory: string;

  constructor(dataDirectory: string) {
    this.#directory = join(dataDirectory, "uploads");
  }

  /** Throws 503 `disk_full` where no file of so many bytes has room. */
  async requireRoom(bytes: number): Promise<void> {
    await this.#makeDirectory();
    await requireRoomOnDisk(this.#directory, bytes);
  }

  /** An empty file under this id. */
  async begin(id: number): Promise<Growing> {
    await this.#makeDirectory();
    const requireRoom = roomToGrow(this.#directory);
    await requireRoom(0);
    const file = await withRoomOnDisk(open(this.pathOf(id), "w", 0o600));
    const digest = createHash("sha256");
    let [length, isOpen] = [0, true];
    const close = async (): Promise<void> => {
      isOpen = false;
      await file.close();
    };
    return {
      write: async (bytes) => {
        await requireRoom(length);
        // All of it from where the last one ended.
        await withRoomOnDisk(file.writeFile(bytes));
        digest.update(bytes);
        length += bytes.length;
      },
      finish: async () => {
        await withRoomOnDisk(file.sync());
        await close();
        // The name is on disk when its directory is.
        await withRoomOnDisk(syncFolder(this.#directory));
        return { id, length, sha256: digest.digest("hex") };
      },
      abandon: async () => {
        if (!isOpen) return;
        await close();
        await this.remove(id);
      },
    };
  }

  /**
   * The bytes in order. Throws 409 at the end where they are not those that were sent, and once it is not there. The
   * file is open only while a piece is read, so nobody needs to end it.
   */
  async *read({ id, length, sha256 }: Spooled): AsyncGenerator<Uint8Array, undefined> {
    const digest = createHash("sha256");
    for (let at = 0; at < length;) {
      const piece = await this.#piece(id, at);
      if (piece.length === 0) throw damaged();
      at += piece.length;
      digest.update(piece);
      yield piece;
    }
    if (digest.digest("hex") !== sha256) throw damaged();
  }

  /** Its length; undefined: there is none. */
  async length(id: number): Promise<number | undefined> {
    return (await stat(this.pathOf(id)).catch(absent))?.size;
  }

  async remove(id: number): Promise<void> {
    await rm(this.pathOf(id), { force: true });
    await rm(this.framedPath(id), { force: true });
  }

  /** Ids of the files that are there. */
  async ids(): Promise<ReadonlySet<number>> {
    const names = (await readdir(this.#directory).catch(absent)) ?? [];
    return new Set(names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number));
  }

  /** Where a version before the spool staged the lines of an import (`jobs/framed-lines.ts`). */
  framedPath(id: number): string {
    return join(this.#directory, `${id}.lines`);
  }

  async #makeDirectory(): Promise<void> {
    await withRoomOnDisk(mkdir(this.#directory, { recursive: true, mode: 0o700 }));
  }

  async #piece(id: number, at: number): Promise<Uint8Array> {
    const file = await open(this.pathOf(id), "r").catch(absent);
    if (!file) throw damaged();
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
      return piece.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** The path of a file, for a thread that reads it. */
  pathOf(id: number): string {
    return join(this.#directory, `${id}.upload`);
  }
}

function damaged(): Refusal {
  return new Refusal("conflict", { message: "the file on disk is not what was sent: send it again" });
}
