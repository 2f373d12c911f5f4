// What a kill left of archives that were being made or sent: spools and files that have no name yet.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { absent } from "../../lib/on-disk.ts";
import { SPOOL_PREFIX } from "../archive/archive-in-thread.ts";
import { canBeBackup } from "./backup-names.ts";

const PART = ".part";
/** Where other processes may write into the folder: what nobody writes into for so long is not being made. */
const IDLE_MS = 3_600_000;

export interface LeftoversDeps {
  readonly directory: string;
  /** Whether this process is still at it. */
  readonly isLive: (path: string) => boolean;
  /** Unix milliseconds; undefined: nobody else writes into the folder, so what is not live here is left. */
  readonly now: number | undefined;
}

export async function sweepLeftovers({ directory, isLive, now }: LeftoversDeps): Promise<void> {
  for (const name of (await readdir(directory).catch(absent)) ?? []) {
    if (!name.startsWith(SPOOL_PREFIX) && !(name.endsWith(PART) && canBeBackup(name.slice(0, -PART.length)))) continue;
    const path = join(directory, name);
    if (isLive(path)) continue;
    if (now === undefined || (await writtenAt(path)) < now - IDLE_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Unix milliseconds of the last write into a file, or into any file of a spool. */
async function writtenAt(path: string): Promise<number> {
  const facts = await stat(path).catch(absent);
  if (!facts?.isDirectory()) return facts?.mtimeMs ?? 0;
  const names = (await readdir(path).catch(absent)) ?? [];
  const within = await Promise.all(
    names.map(async (name) => (await stat(join(path, name)).catch(absent))?.mtimeMs ?? 0),
  );
  return Math.max(facts.mtimeMs, ...within);
}
