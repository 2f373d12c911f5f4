// An archive under a passphrase: scrypt makes the key, AES-256-GCM seals chunk by chunk.
//
// Layout: a head of 40 bytes (magic, scrypt's cost, salt, nonce prefix), then chunks of 64 KiB with a tag of 16 bytes
// each; the last one may be shorter, and may be empty.
//
// Invariants:
// - A chunk's nonce is the prefix, its number and whether it is the last. So a chunk that is moved, repeated, left out
//   or cut off does not open, and nothing can follow the last one.
// - Every chunk is bound to the head: a head that was altered opens nothing.
// - A salt is used once, so key and nonce meet once.
import { createCipheriv, createDecipheriv, scrypt, type ScryptOptions } from "node:crypto";
import type { RandomSource } from "../../lib/ids.ts";
import { ArchiveError, malformed } from "./archive-error.ts";

const MAGIC = Buffer.from("SBXARCH1", "latin1");
const SALT_BYTES = 20;
const PREFIX_BYTES = 7;
const HEAD_BYTES = MAGIC.length + 5 + SALT_BYTES + PREFIX_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** 128 MiB of memory for one guess. */
const COST = { log2: 17, blockSize: 8, parallel: 1 };
/** What a head may ask of this machine: 256 MiB. */
const MOST_LOG2 = 18;

/** Whether what begins so is encrypted. `start`: its first bytes, at least eight where there are as many. */
export function isEncrypted(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, MAGIC.length)).equals(MAGIC);
}

/** Encrypts a stream. */
export async function* encrypt(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
  random: RandomSource,
): AsyncGenerator<Uint8Array, undefined> {
  const cost = Buffer.from([COST.log2, COST.blockSize, COST.parallel, 0, 0]);
  const head = Buffer.concat([MAGIC, cost, random(SALT_BYTES), random(PREFIX_BYTES)]);
  const key = await keyOf(passphrase, head);
  yield head;
  let number = 0;
  for await (const { chunk, last } of inChunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(head, number++, last)).setAAD(head);
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

/**
 * Decrypts a stream that begins with a head. Throws `ArchiveError`: `passphrase` where the first chunk does not open,
 * `format` for everything else. What it has yielded was not altered, but more may be missing until it ends.
 */
export async function* decrypt(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array, undefined> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    const { head, rest } = await headOf(pieces);
    const key = await keyOf(passphrase, head);
    let number = 0;
    for await (const { chunk, last } of inChunks(after(rest, pieces), CHUNK_BYTES + TAG_BYTES)) {
      yield open(key, head, number, last, chunk);
      number++;
    }
  } finally {
    await pieces.return?.();
  }
}

function open(key: Buffer, head: Buffer, number: number, last: boolean, chunk: Buffer): Buffer {
  if (chunk.length < TAG_BYTES) throw malformed("the archive ends in the middle");
  const opener = createDecipheriv("aes-256-gcm", key, nonceOf(head, number, last)).setAAD(head);
  opener.setAuthTag(chunk.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([opener.update(chunk.subarray(0, -TAG_BYTES)), opener.final()]);
  } catch (cause) {
    if (number === 0) throw new ArchiveError("passphrase", "the passphrase does not open the archive", { cause });
    throw malformed("the archive was altered or cut off", cause);
  }
}

async function headOf(pieces: AsyncIterator<Uint8Array>): Promise<{ readonly head: Buffer; readonly rest: Buffer }> {
  let start = Buffer.alloc(0);
  while (start.length < HEAD_BYTES) {
    const next = await pieces.next();
    if (next.done === true) throw malformed("the archive ends in its head");
    start = Buffer.concat([start, next.value]);
  }
  if (!isEncrypted(start)) throw malformed("the archive is not encrypted");
  return { head: Buffer.from(start.subarray(0, HEAD_BYTES)), rest: start.subarray(HEAD_BYTES) };
}

async function* after(first: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  if (first.length > 0) yield first;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}

/** A passphrase is the same however it was typed (NFC). */
function keyOf(passphrase: string, head: Buffer): Promise<Buffer> {
  const [log2 = 0, blockSize = 0, parallel = 0] = head.subarray(MAGIC.length);
  if (log2 < 10 || log2 > MOST_LOG2 || blockSize !== COST.blockSize || parallel !== COST.parallel)
    throw malformed("the archive asks for a cost of scrypt that is not in use");
  const salt = head.subarray(MAGIC.length + 5, MAGIC.length + 5 + SALT_BYTES);
  const N = 2 ** log2;
  const options: ScryptOptions = { N, r: blockSize, p: parallel, maxmem: 256 * N * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function nonceOf(head: Buffer, number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  head.copy(nonce, 0, HEAD_BYTES - PREFIX_BYTES);
  nonce.writeUInt32BE(number, PREFIX_BYTES);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

/** Pieces of a stream as chunks of one size; the last one is what remains, and there is always one. */
async function* inChunks(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly last: boolean }, undefined> {
  let [waiting, length]: [Uint8Array[], number] = [[], 0];
  for await (const piece of source) {
    waiting.push(piece);
    length += piece.length;
    // A full chunk waits for what follows it: only then is it known not to be the last.
    if (length <= size) continue;
    const all = Buffer.concat(waiting, length);
    let at = 0;
    for (; length - at > size; at += size) yield { chunk: all.subarray(at, at + size), last: false };
    [waiting, length] = [[all.subarray(at)], length - at];
  }
  yield { chunk: Buffer.concat(waiting, length), last: true };
}
