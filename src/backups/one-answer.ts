// A thread that is given one order and answers once.
import type { Worker } from "node:worker_threads";

/**
 * The thread's answer; it has ended then. `gone`: what is thrown where it ends without one. An abort ends it, and its
 * reason is thrown.
 */
export async function answerOf<A>(worker: Worker, signal: AbortSignal, gone: () => Error): Promise<A> {
  const answered = new Promise<A>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(gone()));
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await answered;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    await worker.terminate();
  }
}
