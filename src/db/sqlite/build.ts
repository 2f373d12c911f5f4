// Builds a SQLite database beside the one in use: the schema that its rows have, the rows, and what later versions made
// of both. It is a file like any other once it is whole; until then nothing of it counts.
import { open, rm } from "node:fs/promises";
import Database from "better-sqlite3";
import { makeSchema, migrate } from "../migrate.ts";
import { createOrm } from "../orm.ts";
import type { Building, Built } from "../snapshot/build.ts";
import { RowUnfit } from "../snapshot/loader.ts";
import type { TableShape } from "../snapshot/snapshot.ts";
import type { Row } from "../table.ts";
import { loadSqlite } from "./loader.ts";

/** Rows that are handed on together. */
const AT_ONCE = 500;

export interface SqliteBuilding extends Building {
  readonly file: string;
}

/**
 * Resolves once the file is whole, on disk, closed and in no need of others beside it. Leaves nothing where it throws.
 */
export async function buildSqlite({ file, schema, seal, fill, finish }: SqliteBuilding): Promise<void> {
  await removeDatabase(file);
  const location = { dialect: "sqlite", target: file } as const;
  try {
    const orm = await createOrm(location, []);
    try {
      await makeSchema(orm, schema);
      await withLoader(file, seal, async (loader) => {
        await loader.clear();
        await fill(loader);
        await loader.finish();
      });
      await migrate(orm, location);
    } finally {
      await orm.close(true);
    }
    await withLoader(file, seal, (loader) => finish(builtIn(loader)));
    settle(file);
    await syncFile(file);
  } catch (error) {
    await removeDatabase(file);
    throw error;
  }
}

type OpenLoader = ReturnType<typeof loadSqlite>;

async function withLoader(
  file: string,
  seal: Building["seal"],
  use: (loader: OpenLoader) => Promise<void>,
): Promise<void> {
  const loader = loadSqlite(file, seal);
  try {
    await use(loader);
  } finally {
    loader.close();
  }
}

function builtIn(loader: OpenLoader): Built {
  const { connection } = loader;
  return {
    dialect: "sqlite",
    load: (table, rows) => loader.load(table, rows),
    async run(text, values = []) {
      const statement = connection.prepare<unknown[], Row>(text);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    },
    rows: (table) => rowsIn(connection, table),
  };
}

async function* rowsIn(
  connection: Database.Database,
  { name, columns }: TableShape,
): AsyncGenerator<readonly Row[], undefined> {
  const list = columns.map((column) => `"${column.name}"`).join(", ");
  let batch: Row[] = [];
  for (const row of connection.prepare<unknown[], Row>(`select ${list} from "${name}"`).iterate()) {
    batch.push(row);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Throws where rows refer to others that are not there, or the file is damaged. */
function settle(file: string): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    const broken = connection.pragma("foreign_key_check");
    if (Array.isArray(broken) && broken.length > 0)
      throw new RowUnfit(`${broken.length} rows refer to others that are not there: ${JSON.stringify(broken[0])}`);
    const sound: unknown = connection.pragma("quick_check", { simple: true });
    if (sound !== "ok") throw new Error(`the database that was built is damaged: ${String(sound)}`);
    connection.pragma("journal_mode = delete");
  } finally {
    connection.close();
  }
}

/** It was written without waiting for the disk. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A database with the files that stand beside it. */
export async function removeDatabase(file: string): Promise<void> {
  for (const end of ["", "-wal", "-shm", "-journal"]) await rm(`${file}${end}`, { force: true });
}
