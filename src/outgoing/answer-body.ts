// The body of an answer: in chunks as it comes, whole, or its beginning. Each is bounded in bytes and in time.
import type { IncomingMessage } from "node:http";
import { failureOf, OutgoingError } from "./failure.ts";

/** Resolve with as much as comes within so many milliseconds, of `bytes` at most. */
export interface Beginning {
  readonly bytes: number;
  readonly within: number;
}

interface Limits {
  readonly maxBytes: number;
  /** Milliseconds without a byte while somebody waits for one. */
  readonly idle: number | undefined;
}

/** Bytes that are read of an answer that nobody reads further, so that the other side can finish its write. */
const DRAINED_BYTES = 64 << 10;

/**
 * The chunks of a body. It is read no faster than they are taken. Rejects with an OutgoingError: what came until then
 * is no whole body.
 */
export async function* chunksOf(
  incoming: IncomingMessage,
  { maxBytes, idle }: Limits,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = (incoming as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const silence =
        idle === undefined
          ? undefined
          : setTimeout(
              () => incoming.destroy(new OutgoingError("timeout", `the answer was silent for ${idle / 1000} s`)),
              idle,
            );
      const next = await chunks.next().finally(() => clearTimeout(silence));
      if (next.done === true) return;
      size += next.value.length;
      if (size > maxBytes) throw new OutgoingError("too_large", `the answer is larger than ${maxBytes} bytes`);
      yield next.value;
    }
  } catch (error) {
    throw failureOf(signal.aborted ? signal.reason : error);
  } finally {
    incoming.destroy();
  }
}

/** All chunks as one. */
export async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of chunks) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * The beginning of a body; what follows flows off, but not without end. The answer's head counts already, so a body
 * that ends badly is no failure; the request's time still bounds it.
 */
export function beginningOf(incoming: IncomingMessage, { bytes, within }: Beginning): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (): void => {
      clearTimeout(waiting);
      resolve(Buffer.concat(parts).subarray(0, bytes));
    };
    const waiting = setTimeout(take, within);
    incoming.on("error", take);
    incoming.on("end", take);
    incoming.on("close", take);
    incoming.on("data", (part: Buffer) => {
      if (size < bytes) parts.push(part);
      size += part.length;
      if (size >= bytes) take();
      if (size > DRAINED_BYTES) incoming.destroy();
    });
  });
}
