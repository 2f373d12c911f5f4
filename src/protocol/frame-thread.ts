// Parses large messages of all agents on a second thread, so that the main one stays free: counting, parsing and
// checking 16 MB takes half a second.
//
// Turns are fair by bytes: each connection pays for what it has read, and whose next message ends cheapest goes first.
// So 1 MB of one node does not wait behind 16 MB of each of many others, and nobody waits for ever. A connection has
// one message here at a time. A message that is more than the thread's memory ends the thread, and only the connection
// that it came from: the next message begins a new one.
import { Worker } from "node:worker_threads";
import type { ReadingRequest } from "./frame-reader.ts";
import type { LargeReader } from "./peer-contract.ts";
import type { Reading } from "./read-message.ts";

/** More than any message within the bounds of size and parts takes: between 128 and 256. */
const HEAP_MEGABYTES = 384;

interface Message {
  readonly request: ReadingRequest;
  /** Bytes that were paid for when its turn could begin, and when it ends. */
  readonly from: number;
  readonly to: number;
  resolve(reading: Reading | undefined): void;
  reject(error: Error): void;
}

export class FrameThread {
  readonly #heapMegabytes: number;
  readonly #waiting = new Set<Message>();
  #worker: Worker | undefined;
  #inWork: Message | undefined;
  /** Bytes that everybody who waits has had at least. */
  #paid = 0;
  #stopped = false;

  constructor(heapMegabytes = HEAP_MEGABYTES) {
    this.#heapMegabytes = heapMegabytes;
  }

  /** For the messages of one connection. */
  reader(): LargeReader {
    let paid = 0;
    let mine: Message | undefined;
    return {
      read: (bytes, open) =>
        new Promise((resolve, reject) => {
          const from = Math.max(paid, this.#paid);
          paid = from + bytes.length;
          mine = { request: { bytes: ownBytes(bytes), open }, from, to: paid, resolve, reject };
          this.#waiting.add(mine);
          this.#next();
        }),
      drop: () => {
        if (mine && this.#waiting.delete(mine)) mine.resolve(undefined);
      },
    };
  }

  /** Messages that wait are read no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#next();
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#stopped) {
      for (const message of this.#waiting) message.resolve(undefined);
      this.#waiting.clear();
      return;
    }
    if (this.#inWork) return;
    let cheapest: Message | undefined;
    for (const message of this.#waiting) if (!cheapest || message.to < cheapest.to) cheapest = message;
    if (!cheapest) return;
    this.#waiting.delete(cheapest);
    this.#paid = Math.max(this.#paid, cheapest.from);
    this.#inWork = cheapest;
    this.#worker ??= this.#begin();
    this.#worker.postMessage(cheapest.request, [cheapest.request.bytes.buffer]);
  }

  #begin(): Worker {
    const worker = new Worker(new URL("./frame-reader.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMegabytes },
    });
    // A caller that waits for a message keeps the process alive with its connection.
    worker.unref();
    worker.on("message", (reading: Reading) => {
      const message = this.#inWork;
      this.#inWork = undefined;
      message?.resolve(reading);
      this.#next();
    });
    let cause: unknown = "the thread ended";
    worker.on("error", (error) => (cause = error));
    worker.on("exit", () => {
      const message = this.#inWork;
      this.#inWork = undefined;
      this.#worker = undefined;
      if (this.#stopped) message?.resolve(undefined);
      else message?.reject(new Error(cause instanceof Error ? cause.message : String(cause), { cause }));
      this.#next();
    });
    return worker;
  }
}

/** The bytes in memory of their own, which can be handed over; what is part of more is copied. */
function ownBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const whole = byteOffset === 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer;
  return whole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
