// One panel per SQLite data directory: a small SQLite file under BEGIN EXCLUSIVE, which a kill releases.
import Database from "better-sqlite3";
import { sqliteRefusal } from "./inspect.ts";

/** Another process holds the data directory. */
export class DataDirectoryTaken extends Error {
  override readonly name = "DataDirectoryTaken";
}

/**
 * Takes the lock; returns the way to give it back. Throws `DataDirectoryTaken`, or `DatabaseRefused` where no lock can
 * be made.
 */
export function takeDirectoryLock(file: string): () => void {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { timeout: 0 });
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database?.close();
    if (cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY")) {
      throw new DataDirectoryTaken("another Signalbox process is using this data directory", { cause });
    }
    throw sqliteRefusal(cause, file);
  }
  const held = database;
  return () => void held.close();
}
