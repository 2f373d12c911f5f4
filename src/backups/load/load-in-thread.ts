// Has an archive looked at or loaded by a thread of its own: the API answers meanwhile, and the memory goes with it.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { withRoomOnDisk } from "../../http/index.ts";
import { ArchiveError, type ArchiveErrorCode } from "../archive/archive-error.ts";
import type { BackupPreview } from "../backup.schema.ts";
import { answerOf } from "../one-answer.ts";
import type { Loaded, LoadTarget } from "./load-archive.ts";
import { LoadRefused } from "./load-refused.ts";
import type { ArchiveToRead, ThreadAnswer, ThreadFailure, ThreadOrder } from "./load-thread.ts";

/** MiB of the thread's heap: rows are read, written and dropped. One row may have 32. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 } as const;

/** The machine could not: the disk, the database, the memory. */
export class LoadFailed extends Error {
  override readonly name = "LoadFailed";
  /** As the system or the database gives it: `ENOSPC`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * As `loadArchive`, of a file. Throws `ArchiveError`, `LoadRefused` and `LoadFailed`. An abort ends the thread: a
 * schema is gone with it then, and a file is the caller's to delete.
 */
export async function loadInThread(
  order: ArchiveToRead & { readonly target: LoadTarget },
  signal: AbortSignal,
): Promise<Loaded> {
  const answer = await run(order, signal);
  if ("loaded" in answer) return answer.loaded;
  throw new Error("the thread answered something else");
}

/** As `previewArchive`, of a file; `scratch`: the directory in which it has one for a moment. */
export async function previewInThread(
  order: ArchiveToRead & { readonly scratch: string },
  signal: AbortSignal,
): Promise<BackupPreview> {
  const { scratch, ...archive } = order;
  return withScratch(scratch, async (directory) => {
    const answer = await run({ ...archive, directory }, signal);
    if ("preview" in answer) return answer.preview;
    throw new Error("the thread answered something else");
  });
}

/** Scratch directories begin so. What a kill left of them is swept. */
export const SCRATCH_PREFIX = ".scratch-";

/** A directory that is there while it is used. */
export async function withScratch<T>(parent: string, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await withRoomOnDisk(mkdtemp(join(parent, SCRATCH_PREFIX)));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(order: ThreadOrder, signal: AbortSignal): Promise<Exclude<ThreadAnswer, { failure: unknown }>> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./load-thread.ts", import.meta.url), { workerData: order, resourceLimits: HEAP });
  const gone = () => new LoadFailed("the thread that read the archive ended", "");
  const answer = await answerOf<ThreadAnswer>(worker, signal, gone);
  if ("failure" in answer) throw errorOf(answer.failure);
  return answer;
}

/** The error that the thread met, as itself. */
function errorOf({ name, code, message }: ThreadFailure): Error {
  // The thread's own classes say which codes they have.
  if (name === "ArchiveError") return new ArchiveError(code as ArchiveErrorCode, message);
  if (name === "LoadRefused") return new LoadRefused(code === "no_admins" ? code : "format", message);
  return new LoadFailed(message, code);
}
