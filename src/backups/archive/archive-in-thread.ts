// Has an archive made by a thread of its own, in a spool that goes with it.
import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { answerOf } from "../one-answer.ts";
import type { ArchiveAnswer } from "./archive-thread.ts";
import type { ArchiveOrder, MadeArchive } from "./make-archive.ts";

/** MiB of the thread's young heap: rows are read, written and dropped. */
const YOUNG_MIB = 8;
/** Spools begin so, beside the archives. What a kill left of them is swept. */
export const SPOOL_PREFIX = ".spool-";

/** The archive could not be made. */
export class ArchiveFailed extends Error {
  override readonly name = "ArchiveFailed";
  /** What the system or the database calls it: `ENOSPC`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Resolves once the file is there. Throws `ArchiveFailed`; an abort ends the thread, and nothing stays. */
export async function archiveInThread(order: Omit<ArchiveOrder, "spool">, signal: AbortSignal): Promise<MadeArchive> {
  const spool = await mkdtemp(join(dirname(order.file), SPOOL_PREFIX));
  try {
    return await run({ ...order, spool }, signal);
  } finally {
    await rm(spool, { recursive: true, force: true });
    await rm(`${order.file}.part`, { force: true });
  }
}

async function run(order: ArchiveOrder, signal: AbortSignal): Promise<MadeArchive> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./archive-thread.ts", import.meta.url), {
    workerData: order,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const gone = () => new ArchiveFailed("the thread that made the archive ended", "");
  const answer = await answerOf<ArchiveAnswer>(worker, signal, gone);
  if ("made" in answer) return answer.made;
  throw new ArchiveFailed(answer.failure.message, answer.failure.code);
}
