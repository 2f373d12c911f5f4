// Loads an archive into a database that is new, and checks it as a start would.
import type { BackupPreview } from "../backup.schema.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { Receiver } from "./receiver.ts";

/** Bytes of an archive, from its beginning. */
export type ArchiveSource = () => AsyncIterable<Uint8Array>;

/**
 * Where it is loaded: a file that is not there yet, or a schema of that name that is not there yet. `end`: what is done
 * in the same transaction once every check has passed; unless said, it commits.
 */
export type LoadTarget =
  | { readonly sqlite: string }
  | {
      readonly postgresql: {
        readonly url: string;
        readonly schema: string;
        readonly end?: "rollback" | readonly string[];
      };
    };

export interface Loaded {
  readonly manifest: Manifest;
  /** Tables and rows that came out of the archive. */
  readonly tables: number;
  readonly rows: number;
  readonly admins: number;
  readonly users: number;
  readonly nodes: number;
  /** Sentences. */
  readonly warnings: readonly string[];
}

/**
 * The archive is whole and none that this panel takes. `format`: rows or tables are not those of its schema, or the
 * schema is a newer one. `no_admins`: nobody could sign in.
 */
export class LoadRefused extends Error {
  override readonly name = "LoadRefused";
  readonly code: "format" | "no_admins";

  constructor(code: "format" | "no_admins", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Throws `ArchiveError`, `LoadRefused`, and what the database says; leaves nothing then. */
export function loadArchive(
  _source: ArchiveSource,
  _passphrase: string,
  _target: LoadTarget,
  _receiver: Receiver,
): Promise<Loaded> {
  throw new Error("not yet");
}

/** What an archive would bring. Throws `ArchiveError`; writes nothing but a scratch file in `directory`. */
export function previewArchive(
  _source: ArchiveSource,
  _passphrase: string,
  _directory: string,
  _receiver: Receiver,
): Promise<BackupPreview> {
  throw new Error("not yet");
}
