// What a restore leaves on disk for the next start of a panel on SQLite: a database beside the one in use, and a marker
// that says that it is whole. Without the marker nothing of it counts.
//
// Invariants:
// - The marker is written after all that it stands for is on disk, under another name, and renamed: it is whole or not
//   there.
// - It goes before the next one is built, and last when the databases were exchanged.
// - The new database lies on the disk of the one in use, so one rename exchanges them.
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { syncFolder } from "../../lib/on-disk.ts";

const DIRECTORY = "restore";
const MARKER = "ready.json";
const NEXT = "next.db";

/** What the marker says. */
export const Staged = z.object({
  version: z.literal(1),
  /** Absolute paths: what takes the place of what, and where that goes. */
  next: z.string().min(1),
  database: z.string().min(1),
  superseded: z.string().min(1),
});
export type Staged = z.output<typeof Staged>;

/** Where a restore of one SQLite database works. */
export interface StagingPlace {
  /** The folder of the marker. */
  readonly directory: string;
  readonly marker: string;
  readonly next: string;
  readonly database: string;
  readonly superseded: string;
}

/** The files of a database: itself, and what SQLite writes beside it. */
export const DATABASE_FILES = ["", "-wal", "-shm", "-journal"] as const;

/** `databaseUrl`: `sqlite:<file>`. A link stays a link: what it leads to is exchanged. */
export function stagingPlace(dataDirectory: string, databaseUrl: string): StagingPlace {
  const directory = join(dataDirectory, DIRECTORY);
  const database = realFile(resolve(databaseUrl.slice("sqlite:".length)));
  const beside = sameDisk(dataDirectory, dirname(database)) ? directory : join(dirname(database), DIRECTORY);
  return {
    directory,
    marker: join(directory, MARKER),
    next: join(beside, NEXT),
    database,
    superseded: `${database}.superseded`,
  };
}

/** Whether a panel's database is a file that another one can take the place of. */
export function isPlainFile(databaseUrl: string): boolean {
  const target = databaseUrl.slice("sqlite:".length);
  return databaseUrl.startsWith("sqlite:") && !target.startsWith("file:") && !target.startsWith(":memory:");
}

/** What waits for the next start; undefined: nothing. Throws a sentence for a marker that says nothing. */
export function readStaged({ marker }: Pick<StagingPlace, "marker">): Staged | undefined {
  if (!existsSync(marker)) return undefined;
  try {
    return Staged.parse(JSON.parse(readFileSync(marker, "utf8")));
  } catch (cause) {
    throw new Error(`${marker} says nothing of a restore: delete it to go on with the database as it is`, { cause });
  }
}

/** Takes back what was staged before, and what was never finished; makes the folders of a new one. */
export async function clearStaging({ directory, marker, next }: StagingPlace): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await rm(marker, { force: true });
  await syncFolder(directory);
  await mkdir(dirname(next), { recursive: true, mode: 0o700 });
  for (const end of DATABASE_FILES) await rm(`${next}${end}`, { force: true });
}

/** The new database is whole and closed: leaves it to the next start. */
export async function stage({ directory, marker, next, database, superseded }: StagingPlace): Promise<void> {
  for (const end of ["-wal", "-journal"])
    if (existsSync(`${next}${end}`)) throw new Error(`${next} was not closed in order: ${next}${end} is there`);
  await rm(`${next}-shm`, { force: true });
  // It was built without waiting for the disk.
  await syncFile(next);
  await chmod(next, 0o600);
  await syncFolder(dirname(next));
  const content: Staged = { version: 1, next, database, superseded };
  const part = `${marker}.part`;
  const file = await open(part, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, marker);
  await syncFolder(directory);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Where a path leads, whether or not a file is there: it may be between two names. */
function realFile(named: string): string {
  const folder = dirname(named);
  const path = existsSync(folder) ? join(realpathSync(folder), basename(named)) : named;
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? realFile(resolve(dirname(path), readlinkSync(path))) : path;
}

function sameDisk(one: string, other: string): boolean {
  return !existsSync(one) || !existsSync(other) || statSync(one).dev === statSync(other).dev;
}
