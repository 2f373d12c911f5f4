// A disk without room is the operator's to mend, and the caller's to know: no defect of the panel.
import { Refusal } from "./errors.ts";

const FULL = ["ENOSPC", "EDQUOT"];
const RETRY_SECONDS = 60;

/** Work on files of the data directory. Throws 503 `disk_full` where there is no room for it. */
export async function withRoomOnDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && FULL.some((code) => code === cause.code))) throw cause;
    const message = "the disk of the data directory is full: make room, and send the file again";
    throw new Refusal("unavailable", { message, code: "disk_full", retryAfter: RETRY_SECONDS, cause });
  }
}
