// What an archive would bring: every claim of its manifest is checked and every row decoded, and nothing is changed.
//
// The tables of the archive's schema are made in a scratch file: what they take is what a load would take. Only those
// rows go in that say who can sign in.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SchemaUnknown } from "../../db/migrate.ts";
import { buildDatabase } from "../../db/snapshot/build.ts";
import { readArchive, readManifest } from "../archive/read-archive.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { BackupPreview } from "../backup.schema.ts";
import { requireOwner } from "./complete.ts";
import { Intake } from "./intake.ts";
import { requireSame, type ArchiveSource } from "./load-archive.ts";
import { LoadRefused, refusalOf } from "./load-refused.ts";
import type { Receiver } from "./receiver.ts";

/**
 * `directory`: an empty one, for the scratch file. Throws `ArchiveError`, and `LoadRefused` where rows are not those of
 * their tables.
 */
export async function previewArchive(
  source: ArchiveSource,
  passphrase: string,
  directory: string,
  receiver: Receiver,
): Promise<BackupPreview> {
  const manifest = await readManifest(source(), passphrase);
  const intake = new Intake(manifest, receiver);
  const read = (rows: Parameters<typeof readArchive>[1]["rows"]) =>
    readArchive(source(), { passphrase, manifest: (again) => requireSame(manifest, again), rows });
  const file = join(directory, "preview.db");
  const found: string[] = [];
  let compatible = true;
  try {
    await buildDatabase(
      { sqlite: file },
      {
        schema: manifest.schema,
        seal: intake.seal,
        async fill(loader) {
          const misfits = intake.misfits(new Set(loader.tables.keys()));
          compatible = misfits.length === 0;
          found.push(...misfits.map(sentence));
          await read(async (table, rows) => {
            if (!loader.tables.has(table) || !intake.isLoaded(table)) return;
            intake.refuseSealed(table, rows);
            if (receiver.admits.tables.includes(table)) await loader.load(table, rows);
            else loader.check(table, rows);
          });
        },
        finish: (built) => requireOwner(built, receiver),
      },
    );
  } catch (error) {
    if (error instanceof SchemaUnknown) {
      compatible = false;
      found.push(...ofAnother(manifest, receiver));
      // Nobody knows what its columns take; what its manifest claims is checked all the same.
      await read(() => {});
    } else if (error instanceof LoadRefused && error.code === "no_admins") found.push(sentence(error.message));
    else throw refusalOf(error);
  } finally {
    await rm(file, { force: true });
  }
  return { manifest, ...intake.counts, warnings: [...found, ...intake.warnings], compatible };
}

/** What is said of a version that this one does not know: a newer one, or one that took another way. */
function ofAnother({ version, schema, tables }: Manifest, receiver: Receiver): string[] {
  const known = new Set(receiver.tables.map(({ name }) => name));
  const strange = tables.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  return [
    `The archive is of a version that this panel does not know (${version}, schema ${schema}): update the panel first.`,
    ...(strange.length > 0 ? [`This version has no tables for ${strange.join(", ")}.`] : []),
  ];
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
