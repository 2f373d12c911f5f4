// The thread that makes an archive: reading, compressing and encrypting all rows would keep whoever answers requests
// waiting, and its memory goes with it.
import { parentPort, workerData } from "node:worker_threads";
import { makeArchive, type ArchiveOrder, type MadeArchive } from "./make-archive.ts";

export type ArchiveAnswer =
  | { readonly made: MadeArchive }
  | { readonly failure: { readonly message: string; readonly code: string } };

const port = parentPort;
if (!port) throw new Error("archives are made in a worker thread");

async function carryOut(order: ArchiveOrder): Promise<ArchiveAnswer> {
  try {
    return { made: await makeArchive(order, Date.now) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { failure: { message: error instanceof Error ? error.message : String(error), code } };
  }
}

// What `archiveInThread` gave.
port.postMessage(await carryOut(workerData as ArchiveOrder));
