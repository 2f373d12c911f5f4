// Follows a log file that engines append to, and empties it when it has grown.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";

const CHUNK = 256 * 1024;
const MAX_LINE = 64 * 1024;

/** Follows a log file that a process appends to, and empties it when it has grown. */
export class LogFollower {
  readonly #path: string;
  readonly #onLine: (line: string) => void;
  #offset: number;
  #rest = "";

  constructor(path: string, offset: number, onLine: (line: string) => void) {
    this.#path = path;
    this.#offset = offset;
    this.#onLine = onLine;
  }

  /** Bytes of the file that were handed out, less an unfinished line. */
  get offset(): number {
    return this.#offset - Buffer.byteLength(this.#rest, "latin1");
  }

  /**
   * Hands out every line that was written since. A file shorter than the offset was emptied and is read from its start.
   */
  read(): void {
    const file = openLog(this.#path);
    try {
      if (fstatSync(file).size < this.#offset) {
        this.#offset = 0;
        this.#rest = "";
      }
      const chunk = Buffer.alloc(CHUNK);
      for (
        let count = readSync(file, chunk, 0, CHUNK, this.#offset);
        count > 0;
        count = readSync(file, chunk, 0, CHUNK, this.#offset)
      ) {
        this.#offset += count;
        const lines = (this.#rest + chunk.toString("latin1", 0, count)).split("\n");
        this.#rest = (lines.pop() ?? "").slice(-MAX_LINE);
        for (const line of lines) this.#onLine(line);
      }
    } finally {
      closeSync(file);
    }
  }

  /**
   * Empties the file when it is longer than `limit` and read to its end. `before` is called first, so that what the
   * lines said can be kept.
   */
  truncateAbove(limit: number, before: () => void): boolean {
    if (this.#offset <= limit) return false;
    const file = openSync(this.#path, "r+");
    try {
      before();
      ftruncateSync(file, 0);
      this.#offset = 0;
      this.#rest = "";
      return true;
    } finally {
      closeSync(file);
    }
  }
}

/** Makes the file where it is missing, and only reads it where the disk takes nothing. */
function openLog(path: string): number {
  try {
    return openSync(path, "a+", 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EROFS" || error.code === "EPERM"))) throw error;
    return openSync(path, "r");
  }
}
