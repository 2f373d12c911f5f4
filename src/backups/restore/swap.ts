// Exchanges the database for the one that a restore left, at a start: under the lock of the data directory, and before
// anything opens the database (rules backups.swap).
//
// Invariants:
// - With the marker there, every start goes on until the new database is where the old one was. No part of the program
//   opens the database before. So after a kill at any moment the database is the old one (no marker yet) or the new
//   one.
// - Every step may be done again. The old file goes before what SQLite wrote beside it, so that its being there says
//   that nothing was moved yet; the new one comes when nothing of the old one is beside its place: SQLite would take
//   the old log for the new one's.
// - The old database stays, with its log, until the next restore.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DATABASE_FILES, readStaged, stagingPlace, type Staged, type StagingPlace } from "./staging.ts";

/** What happened to the database before it is opened. */
export interface Swapped {
  /** Where the old one is. */
  readonly superseded: string;
}

/**
 * The caller holds the lock of the data directory. Returns what was exchanged; undefined: nothing waited. Throws a
 * sentence where it cannot go on.
 */
export function swapStaged(dataDirectory: string, databaseUrl: string): Swapped | undefined {
  if (!databaseUrl.startsWith("sqlite:")) return undefined;
  const place = stagingPlace(dataDirectory, databaseUrl);
  const staged = readStaged(place);
  if (!staged) {
    removeUnfinished(place);
    return undefined;
  }
  if (staged.database !== place.database)
    throw new Error(
      `a restore of ${staged.database} waits, and SIGNALBOX_DATABASE_URL names ${place.database}: name that one, or delete ${place.marker}`,
    );
  exchange(staged);
  rmSync(place.marker, { force: true });
  syncDirectory(place.directory);
  return { superseded: staged.superseded };
}

function exchange({ next, database, superseded }: Staged): void {
  // It was moved already.
  if (!existsSync(next)) {
    if (existsSync(database)) return;
    throw new Error(`neither ${next} nor ${database} is there: restore an archive into an empty data directory`);
  }
  if (existsSync(database)) {
    for (const end of DATABASE_FILES) rmSync(`${superseded}${end}`, { force: true });
    renameSync(database, superseded);
  }
  for (const end of ["-wal", "-journal"])
    if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${superseded}${end}`);
  rmSync(`${database}-shm`, { force: true });
  syncDirectory(dirname(database));
  renameSync(next, database);
  syncDirectory(dirname(database));
  syncDirectory(dirname(next));
}

/** What was begun and never staged is of nobody. */
function removeUnfinished({ next, marker }: StagingPlace): void {
  for (const end of DATABASE_FILES) rmSync(`${next}${end}`, { force: true });
  rmSync(`${marker}.part`, { force: true });
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
