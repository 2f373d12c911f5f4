// Reads an archive as a stream and checks every claim of its manifest on the way. Whoever reads gets rows before all of
// them are checked: what they make of them counts only once the reading has ended without an error.
//
// An archive is hostile until it was read to its end. Bounds: a member is exactly the one that the manifest announces
// next, a plain file; a line has a length; rows beyond the announced number end the reading; and what unpacks to far
// more than rows ever do is refused before it fills anything.
import { createHash } from "node:crypto";
import { createGunzip, type Gunzip } from "node:zlib";
import { ArchiveError, malformed } from "./archive-error.ts";
import { decrypt, isEncrypted } from "./encryption.ts";
import {
  fileOf,
  MANIFEST_FILE,
  MOST_MANIFEST_BYTES,
  parseManifest,
  type Manifest,
  type TableEntry,
} from "./manifest.ts";
import { tarMembers, type Member } from "./tar-members.ts";

/** The longest row. */
const MOST_LINE_BYTES = 32 * 1024 * 1024;
/** Bytes of rows that are handed on together, and their number. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 1000;
/** Each piece is unpacked in a turn of its own, for which a busy machine has one wait. */
const PIECE_BYTES = 256 * 1024;
/** Rows compress to a tenth or a twentieth. */
const MOST_RATIO = 300;
const RATIO_FROM_BYTES = 64 * 1024 * 1024;

/** Each line is decoded as a whole, so it keeps nothing. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

export type ArchivedRow = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  readonly passphrase?: string | undefined;
  /** Called once, before any row. May throw. */
  readonly manifest: (manifest: Manifest) => Promise<void> | void;
  /** Rows of a table in their order, tables in the manifest's. */
  readonly rows: (table: string, rows: readonly ArchivedRow[]) => Promise<void> | void;
}

/** Reads all of it. Resolves once every claim was found true; throws `ArchiveError` and what the callbacks throw. */
export async function readArchive(source: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<Manifest> {
  const plain = await decrypted(source, options.passphrase);
  const members = tarMembers(gunzipped(plain));
  try {
    const manifest = await manifestOf(members);
    await options.manifest(manifest);
    for (const entry of manifest.tables)
      await readTable(await nextMember(members, fileOf(entry.name)), entry, options.rows);
    const more = await members.next();
    if (more.done !== true) throw malformed(`${shown(more.value.path)} is not in the manifest`);
    return manifest;
  } finally {
    await members.return(undefined);
  }
}

/** The manifest alone, of what may not even be whole. */
export async function readManifest(source: AsyncIterable<Uint8Array>, passphrase?: string): Promise<Manifest> {
  const members = tarMembers(gunzipped(await decrypted(source, passphrase)));
  try {
    return await manifestOf(members);
  } finally {
    await members.return(undefined);
  }
}

async function decrypted(
  source: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 8) {
    const next = await pieces.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const whole = (async function* again(): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield start;
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  })();
  if (!isEncrypted(start)) return whole;
  if (passphrase === undefined || passphrase === "") {
    await pieces.return?.();
    throw new ArchiveError("encrypted", "the archive is encrypted: it needs its passphrase");
  }
  return decrypt(whole, passphrase);
}

/** Unpacks; throws where it unpacks to far too much. */
async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let [packed, unpacked] = [0, 0];
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const feeding = (async () => {
    for await (const piece of source) {
      packed += piece.length;
      if (!gunzip.write(piece)) await drainedOrClosed(gunzip);
      if (gunzip.destroyed) return;
    }
    gunzip.end();
  })().catch((error: unknown) => void gunzip.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      if (unpacked > RATIO_FROM_BYTES && unpacked > packed * MOST_RATIO)
        throw malformed("the archive unpacks to far more than an archive of ours");
      yield piece;
    }
  } catch (error) {
    if (isZlibError(error)) throw malformed("the archive is no gzip, was altered, or ends early", error);
    throw error;
  } finally {
    gunzip.destroy();
    await feeding;
  }
}

/** Leaves no listener behind: a long archive waits thousands of times. */
function drainedOrClosed(stream: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.once("drain", done).once("close", done);
  });
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}

async function manifestOf(members: AsyncGenerator<Member, undefined>): Promise<Manifest> {
  const member = await nextMember(members, MANIFEST_FILE);
  if (member.size > MOST_MANIFEST_BYTES) throw malformed(`${MANIFEST_FILE} is too large for one`);
  const pieces: Uint8Array[] = [];
  for await (const piece of member.body) pieces.push(piece);
  return parseManifest(Buffer.concat(pieces));
}

async function nextMember(members: AsyncGenerator<Member, undefined>, path: string): Promise<Member> {
  const next = await members.next();
  if (next.done === true) throw malformed(`the archive ends before ${path}`);
  if (next.value.path !== path) throw malformed(`${shown(next.value.path)} is where ${path} should be`);
  return next.value;
}

async function readTable(
  member: Member,
  { name, rows: claimed, sha256 }: TableEntry,
  take: ReadOptions["rows"],
): Promise<void> {
  const digest = createHash("sha256");
  let [batch, bytes, count]: [ArchivedRow[], number, number] = [[], 0, 0];
  for await (const line of linesOf(member.body, digest, name)) {
    if (++count > claimed) throw malformed(`${name} has more rows than the ${claimed} that the manifest names`);
    batch.push(rowOf(line, name, count));
    bytes += line.length;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    await take(name, batch);
    [batch, bytes] = [[], 0];
  }
  if (count !== claimed) throw malformed(`${name} has ${count} rows, and the manifest names ${claimed}`);
  if (digest.digest("hex") !== sha256) throw malformed(`${name} is not what the manifest says: its SHA-256 differs`);
  if (batch.length > 0) await take(name, batch);
}

async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  digest: { update(bytes: Uint8Array): unknown },
  table: string,
): AsyncGenerator<Buffer, undefined> {
  let [waiting, length]: [Uint8Array[], number] = [[], 0];
  for await (const piece of body) {
    digest.update(piece);
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield Buffer.concat([...waiting, piece.subarray(from, end)]);
      [waiting, length, from] = [[], 0, end + 1];
    }
    if (from === piece.length) continue;
    // Pieces are the reader's own memory, which it may use again.
    waiting.push(Buffer.from(piece.subarray(from)));
    length += piece.length - from;
    if (length > MOST_LINE_BYTES) throw malformed(`${table} has a row of more than ${MOST_LINE_BYTES} bytes`);
  }
  if (length > 0) throw malformed(`${table} ends in the middle of a row`);
}

function rowOf(line: Buffer, table: string, number: number): ArchivedRow {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(line));
  } catch (cause) {
    throw malformed(`row ${number} of ${table} is no JSON`, cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed(`row ${number} of ${table} is no object`);
  // JSON's objects are records of their members.
  return value as ArchivedRow;
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 100));
}
