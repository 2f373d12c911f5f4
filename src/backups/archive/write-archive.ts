// Writes an archive: a gzipped tar whose first member is the manifest. That names digests of all tables, so they are
// written before it: each table's rows are compressed into a file of their own, and joined when all are there. What was
// compressed is compressed once, since members of gzip may follow each other.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { Header } from "tar/header";
import { fileOf, MANIFEST_FILE, type Manifest, type TableEntry } from "./manifest.ts";

const BLOCK_BYTES = 512;
/** Rows compress to a tenth at every level; this one takes a third of the time of the usual one. */
const LEVEL = 3;
const compressed = promisify(gzip);

/** A table whose rows lie compressed in the spool. */
export interface SpooledTable extends TableEntry {
  /** Bytes of its NDJSON. */
  readonly bytes: number;
}

/** The compressed rows of a table, in the spool's directory. */
function spoolFile(directory: string, table: string): string {
  return join(directory, `${fileOf(table)}.gz`);
}

/**
 * Compresses a table's rows into `directory`. `lines`: JSON objects, one or several to a piece, each with its line
 * break. `wrote` hears of the bytes on disk. Leaves no file where it throws.
 */
export async function spoolTable(
  directory: string,
  name: string,
  lines: AsyncIterable<{ readonly text: string; readonly rows: number }>,
): Promise<SpooledTable> {
  const path = spoolFile(directory, name);
  const digest = createHash("sha256");
  let [rows, bytes] = [0, 0];
  const file = await open(path, "wx", 0o600);
  try {
    const packed = createGzip({ level: LEVEL });
    const writing = (async () => {
      for await (const piece of packed) await file.writeFile(piece as Buffer);
    })();
    try {
      for await (const { text, rows: more } of lines) {
        const piece = Buffer.from(text, "utf8");
        digest.update(piece);
        rows += more;
        bytes += piece.length;
        if (!packed.write(piece)) await Promise.race([drained(packed), writing]);
      }
      packed.end();
    } catch (error) {
      packed.destroy();
      await writing.catch(() => {});
      throw error;
    }
    await writing;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { name, rows, sha256: digest.digest("hex"), bytes };
}

/** The archive, of a manifest and the tables in the spool, in the manifest's order. */
export async function* joinArchive(
  directory: string,
  manifest: Manifest,
  tables: readonly SpooledTable[],
): AsyncGenerator<Uint8Array, undefined> {
  const said = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`, "utf8");
  const time = new Date(manifest.createdAt * 1000);
  yield compressed(Buffer.concat([headOf(MANIFEST_FILE, said.length, time), said, padding(said.length)]));
  for (const { name, bytes } of tables) {
    yield compressed(headOf(fileOf(name), bytes, time));
    yield* createReadStream(spoolFile(directory, name)) as AsyncIterable<Buffer>;
    const rest = padding(bytes);
    if (rest.length > 0) yield compressed(rest);
  }
  yield compressed(Buffer.alloc(2 * BLOCK_BYTES));
}

function headOf(path: string, size: number, mtime: Date): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const header = new Header({ path, size, mtime, mode: 0o600, uid: 0, gid: 0, type: "File" });
  if (header.encode(block)) throw new Error(`the head of ${path} needs more than a block`);
  return block;
}

/** What fills the last block of a member. */
function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => stream.once("drain", resolve));
}
