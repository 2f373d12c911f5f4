// A disk without room is the operator's to mend, and the caller's to know: no defect of the panel.
import { statfs } from "node:fs/promises";
import { Refusal } from "./errors.ts";

const FULL = ["ENOSPC", "EDQUOT"];
const RETRY_SECONDS = 60;
/** What files leave to the database, which may lie on the same disk and must not stand still because of them. */
const KEPT = { bytes: 128 * 1024 * 1024, share: 1 / 8 } as const;

/** Work on files of the data directory. Throws 503 `disk_full` where there is no room for it. */
export async function withRoomOnDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && FULL.some((code) => code === cause.code)) throw diskFull(cause);
    throw cause;
  }
}

/** Throws 503 `disk_full` where so many bytes more would leave less than the database needs. */
export async function requireRoomOnDisk(directory: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const kept = Math.min(KEPT.bytes, blocks * bsize * KEPT.share);
  if (bavail * bsize < bytes + kept) throw diskFull();
}

function diskFull(cause?: unknown): Refusal {
  const message = "the disk of the data directory is full: make room, and send the file again";
  return new Refusal("unavailable", { message, code: "disk_full", retryAfter: RETRY_SECONDS, cause });
}
