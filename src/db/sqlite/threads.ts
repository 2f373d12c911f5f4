// Threads of their own for a database file, small ones: each has a heap of its own, and what a panel keeps of the
// machine's memory is the sum.
import { Worker } from "node:worker_threads";

/** MiB of a thread's young heap. What a query returns is handed over and dropped: a larger one would only stay. */
const YOUNG_MIB = 4;

/** `module`: a file in this folder. It takes the database's file with `givenFile`. */
export function startThread(module: string, file: string): Worker {
  return new Worker(new URL(module, import.meta.url), {
    workerData: { file },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
}

/**
 * What `startThread` gave. By hand: the library that parses everything else would be half of what such a thread loads.
 */
export function givenFile(workerData: unknown): string {
  if (
    typeof workerData === "object" &&
    workerData !== null &&
    "file" in workerData &&
    typeof workerData.file === "string"
  )
    return workerData.file;
  throw new Error("a database thread was started without its file");
}
