// Members of a tar as a stream, one after the other. Only plain files are let through: headers that extend another one,
// links and directories are none of ours. Nothing is written anywhere, so a path is only a name.
import { Header } from "tar/header";
import { malformed } from "./archive-error.ts";

const BLOCK_BYTES = 512;

export interface Member {
  readonly path: string;
  readonly size: number;
  /** Read to its end before the next member is asked for. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Throws `ArchiveError` for what is no tar, is cut off, goes on behind its end, or has other members than files. */
export async function* tarMembers(source: AsyncIterable<Buffer>): AsyncGenerator<Member, undefined> {
  const bytes = new ByteReader(source);
  try {
    for (;;) {
      const block = await bytes.take(BLOCK_BYTES);
      if (isBlank(block)) break;
      const { path, size } = headerOf(block);
      const body = bytes.stream(size);
      yield { path, size, body };
      for await (const _ of body) throw new Error(`the member ${path} was not read to its end`);
      if (!isBlank(await bytes.take((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)))
        throw malformed(`something is hidden behind ${JSON.stringify(path.slice(0, 100))}`);
    }
    for await (const piece of bytes.stream(Infinity))
      if (!isBlank(piece)) throw malformed("the archive goes on behind its end");
  } finally {
    await bytes.end();
  }
}

function headerOf(block: Buffer): { readonly path: string; readonly size: number } {
  let header: Header;
  try {
    header = new Header(block);
  } catch (cause) {
    throw malformed("the archive is no tar", cause);
  }
  const { cksumValid, path, size, linkpath } = header;
  if (!cksumValid || path === undefined || path === "") throw malformed("the archive is no tar, or was altered");
  if (header.type !== "File" || (linkpath !== undefined && linkpath !== ""))
    throw malformed(`${JSON.stringify(path.slice(0, 100))} in the archive is no plain file`);
  if (size === undefined || !Number.isSafeInteger(size) || size < 0)
    throw malformed(`${JSON.stringify(path.slice(0, 100))} in the archive has no size`);
  return { path, size };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** A stream of bytes, of which so many are taken at a time. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Exactly so many. Throws where fewer are left. */
  async take(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.stream(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** So many as they come; `Infinity`: all that are left. Iterating again goes on where it was left. */
  stream(count: number): AsyncIterable<Uint8Array> {
    let left = count;
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      if (left <= 0) return { done: true, value: undefined };
      while (this.#rest.length === 0) {
        const more = await this.#pieces.next();
        if (more.done !== true) this.#rest = more.value;
        else if (left === Infinity) return { done: true, value: undefined };
        else throw malformed("the archive ends early");
      }
      const piece = this.#rest.subarray(0, Math.min(left, this.#rest.length));
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      return { done: false, value: piece };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  async end(): Promise<void> {
    await this.#pieces.return?.();
  }
}
