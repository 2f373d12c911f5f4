// Orders for the thread of the history, one after the other. The thread is started when it is first needed; one that
// ends is replaced at the next order.
import { Worker } from "node:worker_threads";
import type { Answer, Answered, Given, JobName } from "./worker.ts";

/** A month of a million accounts takes a tenth of it. */
const HEAP_MEGABYTES = 768;

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class HistoryThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 1;
  #closed = false;

  do<N extends JobName>(job: N, given: Given<N>): Promise<Answer<N>> {
    if (this.#closed) return Promise.reject(new Error("the history is closed"));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      // The thread answers an order with what its job answers (`Jobs`).
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#begin();
      this.#worker.ref();
      this.#worker.postMessage({ id, job, given });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #begin(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    worker.unref();
    worker.on("message", (answered: Answered) => {
      const waiting = this.#waiting.get(answered.id);
      this.#waiting.delete(answered.id);
      // Callers that wait keep the process alive; the thread alone does not.
      if (this.#waiting.size === 0) worker.unref();
      if ("answer" in answered) waiting?.resolve(answered.answer);
      else waiting?.reject(new Error(answered.failure));
    });
    let cause: unknown = "the thread ended";
    worker.on("error", (error) => (cause = error));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const each of waiting) each.reject(new Error(`the history's thread ended: ${String(cause)}`, { cause }));
    });
    return worker;
  }
}
