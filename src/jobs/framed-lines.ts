// Lines of imports that a version before the spool staged: files of parts, each behind its last line's number and its
// length. A job that waited while the panel was updated reads them to their end; this version writes none.
import { open, type FileHandle } from "node:fs/promises";
import { absent } from "../lib/on-disk.ts";
import type { Spool } from "../uploads/index.ts";
import type { StagedRecord } from "./staged-lines.ts";

/** Before each part of a file: its last record and its length, in as many bytes always. */
const HEAD_BYTES = 48;

export class FramedLines {
  readonly #spool: Spool;
  /** Where the part was that was read last, by job. */
  readonly #places = new Map<number, number>();

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** The part with the first record behind `cursor`; undefined: there is none. */
  async after(job: number, cursor: number): Promise<readonly StagedRecord[] | undefined> {
    const file = await open(this.#spool.framedPath(job), "r").catch(absent);
    if (!file) return undefined;
    try {
      return await this.#find(file, job, this.#places.get(job) ?? 0, cursor);
    } finally {
      await file.close();
    }
  }

  /** Drops what is kept about it; the file is the spool's to delete. */
  forget(job: number): void {
    this.#places.delete(job);
  }

  /** From a known place on; a cursor that is behind it is looked for from the beginning. */
  async #find(
    file: FileHandle,
    job: number,
    from: number,
    cursor: number,
  ): Promise<readonly StagedRecord[] | undefined> {
    let first = true;
    for (let at = from; ;) {
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, at);
      if (bytesRead < HEAD_BYTES) return undefined;
      const [last = 0, length = 0] = head.toString().trim().split(" ").map(Number);
      if (last > cursor && first && from > 0) return this.#find(file, job, 0, cursor);
      if (last > cursor) {
        const bytes = Buffer.alloc(length);
        await file.read(bytes, 0, length, at + HEAD_BYTES);
        return JSON.parse(bytes.toString()) as readonly StagedRecord[];
      }
      // The next part is looked for from the last one that is done.
      this.#places.set(job, at);
      first = false;
      at += HEAD_BYTES + length;
    }
  }
}
