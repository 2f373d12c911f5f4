// What a kill left of archives that were being made or sent: spools and files that have no name yet.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { absent } from "../../lib/on-disk.ts";
import { SPOOL_PREFIX } from "../archive/archive-in-thread.ts";
import { canBeBackup } from "./backup-names.ts";

const PART = ".part";
/** Where other processes may write into the folder: nothing is written into one for so long and still made. */
const IDLE_MS = 24 * 3_600_000;

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
    const facts = await stat(path).catch(absent);
    if (facts && (now === undefined || facts.mtimeMs < now - IDLE_MS)) await rm(path, { recursive: true, force: true });
  }
}
