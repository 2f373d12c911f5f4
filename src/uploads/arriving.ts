// A body that is read while it comes, of a sender that must not keep its place without sending anything.
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../http/index.ts";

/** How slowly a body may come. */
interface Patience {
  /** Nothing may come for so long. */
  readonly idleMs: number;
  /** What is waited for in all: so long, and longer by a millisecond for each so many bytes that came. */
  readonly graceMs: number;
  readonly bytesPerMs: number;
}

const PATIENCE: Patience = { idleMs: 30_000, graceMs: 60_000, bytesPerMs: 8 };

/** Throws 408 where it comes too slowly. The time in which it is worked on counts against nobody. */
export async function* arriving(
  stream: Readable,
  { idleMs, graceMs, bytesPerMs }: Patience = PATIENCE,
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  let [waited, bytes] = [0, 0];
  for (;;) {
    const began = performance.now();
    const next = await within(chunks.next(), Math.min(idleMs, graceMs + bytes / bytesPerMs - waited));
    if (next.done === true) return;
    waited += performance.now() - began;
    bytes += next.value.length;
    yield next.value;
  }
}

async function within<T>(coming: Promise<T>, ms: number): Promise<T> {
  const came = new AbortController();
  const late = async (): Promise<never> => {
    await pause(Math.max(0, ms), undefined, { signal: came.signal });
    throw new Refusal("request_timeout");
  };
  // Heard once: whichever comes second has nobody who listens.
  coming.catch(() => {});
  const timer = late();
  timer.catch(() => {});
  try {
    return await Promise.race([coming, timer]);
  } finally {
    came.abort();
  }
}
