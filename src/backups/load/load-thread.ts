// The thread that looks at an archive or loads one: reading, decrypting and writing all rows would keep whoever answers
// requests waiting.
import { createReadStream } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { BackupPreview } from "../backup.schema.ts";
import { loadArchive, type Loaded, type LoadTarget } from "./load-archive.ts";
import { previewArchive } from "./preview-archive.ts";
import type { Receiver } from "./receiver.ts";

export interface ArchiveToRead {
  /** The archive's file. */
  readonly file: string;
  /** Empty: none was given. */
  readonly passphrase: string;
  readonly receiver: Receiver;
}

export type ThreadOrder = ArchiveToRead & ({ readonly target: LoadTarget } | { readonly directory: string });

export interface ThreadFailure {
  /** Names the class of the error. */
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

export type ThreadAnswer =
  | { readonly loaded: Loaded }
  | { readonly preview: BackupPreview }
  | { readonly failure: ThreadFailure };

const port = parentPort;
if (!port) throw new Error("archives are read in a worker thread");

async function carryOut(order: ThreadOrder): Promise<ThreadAnswer> {
  const { file, passphrase, receiver } = order;
  const source = () => createReadStream(file) as AsyncIterable<Buffer>;
  try {
    if ("target" in order) return { loaded: await loadArchive(source, passphrase, order.target, receiver) };
    return { preview: await previewArchive(source, passphrase, order.directory, receiver) };
  } catch (error) {
    if (!(error instanceof Error)) return { failure: { name: "", code: "", message: String(error) } };
    const code = "code" in error ? String(error.code) : "";
    return { failure: { name: error.name, code, message: error.message } };
  }
}

// What `load-in-thread.ts` gave.
port.postMessage(await carryOut(workerData as ThreadOrder));
