// Has an archive looked at or loaded by a thread of its own: the API answers meanwhile.
import type { BackupPreview } from "../backup.schema.ts";
import type { Loaded, LoadTarget } from "./load-archive.ts";
import type { Receiver } from "./receiver.ts";

export interface LoadOrder {
  /** The archive's file. */
  readonly file: string;
  readonly passphrase: string;
  readonly target: LoadTarget;
  readonly receiver: Receiver;
}

/** As `loadArchive`; an abort ends the thread, and what it began is removed. */
export function loadInThread(_order: LoadOrder, _signal: AbortSignal): Promise<Loaded> {
  throw new Error("not yet");
}

/** As `previewArchive`. */
export function previewInThread(
  _order: Omit<LoadOrder, "target"> & { readonly directory: string },
  _signal: AbortSignal,
): Promise<BackupPreview> {
  throw new Error("not yet");
}
