// An append-only file of JSON records, each with its length and checksum: an append is on disk wholly or, after a kill,
// not at all.
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { syncFolder } from "../lib/on-disk.ts";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;
const HEAD = /^(\d{1,10}) ([0-9a-f]{8}) /;
const HEAD_BYTES = 20;

/** The part of a file handle that the log uses; a test may pass one whose disk is full. */
export interface RecordFile {
  write(data: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  readFile(): Promise<Buffer>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens for reading and writing, creating the file when it is missing (`fresh`: emptying it). */
export type OpenRecordFile = (path: string, fresh: boolean) => Promise<RecordFile>;

const openOnDisk: OpenRecordFile = async (path, fresh) => {
  if (fresh) return open(path, "w+", 0o600);
  // "a+" would ignore positions; this creates without emptying.
  await (await open(path, "a", 0o600)).close();
  return open(path, "r+");
};

export interface OpenedLog {
  readonly log: RecordLog;
  readonly records: readonly unknown[];
  /** Bytes cut off because their record was incomplete or damaged. */
  readonly cut: number;
  /** The cut held more than one unfinished append: the file was damaged, records are missing. */
  readonly damaged: boolean;
}

/** Calls must not overlap: the owner keeps them in a queue. */
export class RecordLog {
  readonly #path: string;
  readonly #open: OpenRecordFile;
  #file: RecordFile;
  #size: number;
  /**
   * Bytes of a failed append may lie behind `#size`; nothing may be believed to be on disk, or off it, until they are
   * cut.
   */
  #torn = false;

  private constructor(path: string, openFile: OpenRecordFile, file: RecordFile, size: number) {
    this.#path = path;
    this.#open = openFile;
    this.#file = file;
    this.#size = size;
  }

  /** Reads the records and cuts off what a kill left unfinished. */
  static async open(path: string, openFile: OpenRecordFile = openOnDisk): Promise<OpenedLog> {
    const file = await openFile(path, false);
    const content = await file.readFile();
    const { records, end } = readRecords(content);
    const log = new RecordLog(path, openFile, file, end);
    const cut = content.length - end;
    log.#torn = cut > 0;
    await log.#mend();
    return { log, records, cut, damaged: readRecords(content.subarray(nextLine(content, end))).records.length > 0 };
  }

  /** Bytes of valid records. */
  get size(): number {
    return this.#size;
  }

  /** True after a failed append whose remains could not be cut yet. */
  get torn(): boolean {
    return this.#torn;
  }

  /**
   * All of these records are on disk when this resolves, none counts when it rejects; then the same append may be tried
   * again.
   */
  async append(records: readonly unknown[]): Promise<void> {
    await this.#mend();
    const data = Buffer.concat(records.map(encodeRecord));
    this.#torn = true;
    try {
      await writeAll(this.#file, data, this.#size);
      await this.#file.datasync();
    } catch (error) {
      await this.#mend().catch(() => undefined); // Still torn: said by `torn`, mended by the next append.
      throw error;
    }
    this.#torn = false;
    this.#size += data.length;
  }

  /** Replaces the whole content atomically. Rejects leaving the old content in use. */
  async rewrite(records: Iterable<unknown>): Promise<void> {
    const temporary = `${this.#path}.new`;
    const file = await this.#open(temporary, true);
    let size = 0;
    try {
      let waiting: Buffer[] = [];
      let bytes = 0;
      const flush = async (): Promise<void> => {
        await writeAll(file, Buffer.concat(waiting), size);
        size += bytes;
        waiting = [];
        bytes = 0;
      };
      for (const record of records) {
        const data = encodeRecord(record);
        waiting.push(data);
        bytes += data.length;
        if (bytes >= CHUNK_BYTES) await flush();
      }
      await flush();
      await file.datasync();
      await rename(temporary, this.#path);
    } catch (error) {
      await file.close();
      await rm(temporary, { force: true });
      throw error;
    }
    // From the rename on, the new file is the log; only then may the old handle go.
    const old = this.#file;
    this.#file = file;
    this.#size = size;
    this.#torn = false;
    await old.close();
    await syncFolder(dirname(this.#path));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #mend(): Promise<void> {
    if (!this.#torn) return;
    await this.#file.truncate(this.#size);
    await this.#file.datasync();
    this.#torn = false;
  }
}

/** `<bytes of JSON> <crc32 in hex> <JSON>\n` */
function encodeRecord(record: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([
    Buffer.from(`${json.length} ${crc32(json).toString(16).padStart(8, "0")} `),
    json,
    Buffer.from("\n"),
  ]);
}

/** The records up to the first that is not whole, and the offset at which it begins. */
function readRecords(content: Buffer): { records: unknown[]; end: number } {
  const records: unknown[] = [];
  let end = 0;
  while (end < content.length) {
    const head = HEAD.exec(content.toString("latin1", end, end + HEAD_BYTES));
    if (head === null) break;
    const from = end + head[0].length;
    const to = from + Number(head[1]);
    if (to >= content.length || content[to] !== NEWLINE) break;
    const json = content.subarray(from, to);
    if (crc32(json) !== Number.parseInt(head[2] ?? "", 16)) break;
    records.push(JSON.parse(json.toString()));
    end = to + 1;
  }
  return { records, end };
}

function nextLine(content: Buffer, from: number): number {
  const at = content.indexOf(NEWLINE, from);
  return at < 0 ? content.length : at + 1;
}

async function writeAll(file: RecordFile, data: Buffer, position: number): Promise<void> {
  for (let done = 0; done < data.length;) {
    const { bytesWritten } = await file.write(data, done, data.length - done, position + done);
    done += bytesWritten;
  }
}
