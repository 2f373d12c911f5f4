// Files on disk: names that survive a power cut, files that may not be there, and disks without room.
import { open } from "node:fs/promises";

/** Makes a rename or a new file in this folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** To catch with: undefined where a file or folder is not there. Throws every other error. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** How the system, SQLite and PostgreSQL call it. */
const FULL: readonly unknown[] = ["ENOSPC", "EDQUOT", "SQLITE_FULL", "53100"];

/** Whether an error says that a disk has no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && FULL.includes(error.code);
}
