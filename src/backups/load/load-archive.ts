// Loads an archive into a database that is new, and checks it as a start would. Nothing of it counts, and nothing of it
// stays, unless all of it is right.
import { buildDatabase, type BuildTarget } from "../../db/snapshot/build.ts";
import { malformed } from "../archive/archive-error.ts";
import type { Manifest } from "../archive/manifest.ts";
import { readArchive, readManifest } from "../archive/read-archive.ts";
import { complete } from "./complete.ts";
import { Intake, type RecordCounts } from "./intake.ts";
import { refusalOf, unfit } from "./load-refused.ts";
import type { Receiver } from "./receiver.ts";

/** Bytes of an archive, from its beginning each time. */
export type ArchiveSource = () => AsyncIterable<Uint8Array>;

/**
 * Where it is loaded: a file that is not there yet, or a schema of that name that is not there yet. `end`: statements
 * of the same transaction, run once every check has passed, or `rollback`; it commits unless it rolls back.
 */
export type LoadTarget = BuildTarget;

export interface Loaded extends RecordCounts {
  readonly manifest: Manifest;
  /** Tables and rows that came out of the archive. */
  readonly tables: number;
  readonly rows: number;
  /** Secrets of the archive, and those that could not be opened when it was made. */
  readonly secrets: { readonly all: number; readonly lost: number };
  /** Sentences. */
  readonly warnings: readonly string[];
}

/** Throws `ArchiveError`, `LoadRefused`, and what the database says; leaves nothing then. */
export async function loadArchive(
  source: ArchiveSource,
  passphrase: string,
  target: LoadTarget,
  receiver: Receiver,
): Promise<Loaded> {
  const manifest = await readManifest(source(), passphrase);
  const intake = new Intake(manifest, receiver);
  try {
    await buildDatabase(target, {
      schema: manifest.schema,
      seal: intake.seal,
      async fill(loader) {
        const [misfit] = intake.misfits(new Set(loader.tables.keys()));
        if (misfit !== undefined) throw unfit(misfit);
        await readArchive(source(), {
          passphrase,
          manifest: (again) => requireSame(manifest, again),
          async rows(table, rows) {
            if (!intake.isLoaded(table)) return;
            intake.refuseSealed(table, rows);
            await loader.load(table, rows);
          },
        });
      },
      finish: (built) => complete(built, receiver),
    });
  } catch (error) {
    throw refusalOf(error);
  }
  const { loaded, counts, secrets, warnings } = intake;
  return { manifest, ...loaded, ...counts, secrets, warnings };
}

/** The file is read twice. */
export function requireSame(one: Manifest, other: Manifest): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw malformed("the archive was exchanged while it was read");
}
