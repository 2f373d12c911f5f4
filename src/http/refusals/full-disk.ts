// A disk without room is the operator's to mend, and the caller's to know: no defect of the panel.
import { statfs } from "node:fs/promises";
import { isDiskFull } from "../../lib/on-disk.ts";
import { Refusal } from "./errors.ts";

const RETRY_SECONDS = 60;
/** Bytes of a file that grows, after which the room is looked at again. */
const LOOK_BYTES = 1024 * 1024;
/** What files leave to the database, which may lie on the same disk and must not stand still because of them. */
const KEPT = { bytes: 128 * 1024 * 1024, share: 1 / 8 } as const;

/** Work on files of the data directory. Throws 503 `disk_full` where there is no room for it. */
export async function withRoomOnDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (isDiskFull(cause)) throw diskFull(cause);
    throw cause;
  }
}

/** Throws 503 `disk_full` where so many bytes more would leave less than the database needs. */
export async function requireRoomOnDisk(directory: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const kept = Math.min(KEPT.bytes, blocks * bsize * KEPT.share);
  if (bavail * bsize < bytes + kept) throw diskFull();
}

/**
 * The room for a file that grows. Told before each piece how many bytes are there, it looks before the first one and
 * after each MiB. Throws 503 `disk_full`.
 */
export function roomToGrow(directory: string): (length: number) => Promise<void> {
  let looked = -LOOK_BYTES;
  return async (length) => {
    if (length - looked < LOOK_BYTES) return;
    await requireRoomOnDisk(directory, 0);
    looked = length;
  };
}

function diskFull(cause?: unknown): Refusal {
  const message = "the disk of the data directory is full: make room, and send the file again";
  return new Refusal("unavailable", { message, code: "disk_full", retryAfter: RETRY_SECONDS, cause });
}
