// Names on disk: a rename or a new file survives a power cut once its folder was synced.
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
