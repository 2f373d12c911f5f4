// For a start that finds its database damaged: the newest archive that can take its place (rule backups.damage.1).
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseDamaged } from "../../db/index.ts";
import { absent } from "../../lib/on-disk.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { readArchive } from "../archive/read-archive.ts";
import { canBeBackup } from "../stored/backup-names.ts";

/** Why a start is refused: of a damaged database with what may be restored. Nothing is changed. */
export async function withNewestArchive(error: unknown, dataDirectory: string): Promise<unknown> {
  if (!(error instanceof DatabaseDamaged)) return error;
  const folder = join(dataDirectory, "backups");
  const found = await newestArchive(folder);
  const advice =
    found === undefined
      ? `no whole archive lies in ${folder}`
      : `the newest ${found.encrypted ? "archive, which is encrypted and was not looked at," : "whole archive"} is ${found.path}: to restore it, move the database away, start, and send it in setup`;
  return new DatabaseDamaged(`${error.message}; ${advice}`, { cause: error });
}

/** The newest archive that is whole, or encrypted; undefined: there is none. */
async function newestArchive(
  folder: string,
): Promise<{ readonly path: string; readonly encrypted: boolean } | undefined> {
  const names = ((await readdir(folder).catch(absent)) ?? []).filter(canBeBackup);
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  for (const { path } of files.toSorted((one, other) => other.at - one.at)) {
    const standing = await standingOf(path);
    if (standing !== "bad") return { path, encrypted: standing === "encrypted" };
  }
  return undefined;
}

async function standingOf(path: string): Promise<"whole" | "encrypted" | "bad"> {
  try {
    await readArchive(createReadStream(path), { manifest: () => {}, rows: () => {} });
    return "whole";
  } catch (error) {
    return error instanceof ArchiveError && error.code === "encrypted" ? "encrypted" : "bad";
  }
}
