// Small files that are either the old or the new one after a power cut, never a mixture.
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../lib/on-disk.ts";

/**
 * Replaces `path` (mode 0600): writes a temporary file in the same folder, syncs it, renames it and syncs the folder.
 * If it rejects, the old file is unchanged.
 */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Whether an error of `node:fs` carries this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
