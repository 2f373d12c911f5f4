// A snapshot of a SQLite database: its pages copied into another file, in one step, and read from there.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { neutralRow, type NeutralRow, type Snapshot, type TableShape } from "../snapshot/snapshot.ts";
import type { Row } from "../table.ts";
import { openReadConnection } from "./read-connection.ts";

/** Rows that are handed on together. */
const AT_ONCE = 500;

export async function snapshotSqlite(file: string, directory: string): Promise<Snapshot> {
  const copy = join(directory, "pages.db");
  const source = openReadConnection(file);
  // Each page is read once: a mapping of the file would only count as memory.
  source.pragma("mmap_size = 0");
  try {
    // All pages that remain in one step: a copy in several begins again whenever somebody writes meanwhile.
    await source.backup(copy, { progress: ({ remainingPages }) => Math.max(remainingPages, 1) });
  } finally {
    source.close();
  }
  const connection = new Database(copy, { fileMustExist: true });
  // Nobody writes it, and it needs no files beside it.
  connection.pragma("journal_mode = off");
  return {
    rows: (table) => rowsIn(connection, table),
    close: async () => {
      connection.close();
      await rm(copy, { force: true });
    },
  };
}

async function* rowsIn(connection: Database.Database, table: TableShape): AsyncGenerator<NeutralRow[], undefined> {
  const list = table.columns.map(({ name }) => `"${name}"`).join(", ");
  const rows = connection.prepare(`select ${list} from "${table.name}" order by "${table.key}"`).iterate();
  let batch: NeutralRow[] = [];
  for (const row of rows) {
    batch.push(neutralRow(table, row as Row));
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
