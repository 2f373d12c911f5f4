// One panel per SQLite data directory: a small SQLite file under BEGIN EXCLUSIVE, which a kill releases.
import Database from "better-sqlite3";

/** Another process holds the data directory. */
export class DataDirectoryTaken extends Error {
  override readonly name = "DataDirectoryTaken";
}

/** Takes the lock; returns the way to give it back. Throws `DataDirectoryTaken`. */
export function takeDirectoryLock(file: string): () => void {
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    throw new DataDirectoryTaken("another Signalbox process is using this data directory", { cause });
  }
  return () => database.close();
}
