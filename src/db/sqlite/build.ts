// Builds a SQLite database beside the one in use: the schema that its rows have, the rows, and what later versions made
// of both. It is a file like any other once it is whole; until then nothing of it counts.
import { rm } from "node:fs/promises";
import Database from "better-sqlite3";
import { makeSchema, migrate } from "../migrate.ts";
import { createOrm, type AnyEntity } from "../orm.ts";
import type { Loader, SealText } from "../snapshot/loader.ts";
import { loadSqlite } from "./loader.ts";

export interface Building {
  readonly file: string;
  readonly entities: readonly AnyEntity[];
  /** The newest migration of the rows' schema. Throws `SchemaUnknown` for one that this version has not. */
  readonly schema: string;
  readonly seal: SealText;
  /** Puts all rows in. */
  readonly fill: (loader: Loader) => Promise<void>;
}

/** Resolves once the file is whole, closed and in no need of others beside it. Leaves nothing where it throws. */
export async function buildSqlite({ file, entities, schema, seal, fill }: Building): Promise<void> {
  await removeDatabase(file);
  const location = { dialect: "sqlite", target: file } as const;
  try {
    const orm = await createOrm(location, entities);
    try {
      await makeSchema(orm, schema);
      await load(file, seal, fill);
      await migrate(orm, location);
    } finally {
      await orm.close(true);
    }
    settle(file);
  } catch (error) {
    await removeDatabase(file);
    throw error;
  }
}

async function load(file: string, seal: SealText, fill: Building["fill"]): Promise<void> {
  const loader = loadSqlite(file, seal);
  try {
    await loader.clear();
    await fill(loader);
    await loader.finish();
  } finally {
    loader.close();
  }
}

/** Throws where rows refer to others that are not there, or the file is damaged. */
function settle(file: string): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    const broken = connection.pragma("foreign_key_check");
    if (Array.isArray(broken) && broken.length > 0)
      throw new Error(`${broken.length} rows refer to others that are not there: ${JSON.stringify(broken[0])}`);
    const sound: unknown = connection.pragma("quick_check", { simple: true });
    if (sound !== "ok") throw new Error(`the database that was built is damaged: ${String(sound)}`);
    connection.pragma("journal_mode = delete");
  } finally {
    connection.close();
  }
}

/** A database with the files that stand beside it. */
export async function removeDatabase(file: string): Promise<void> {
  for (const end of ["", "-wal", "-shm", "-journal"]) await rm(`${file}${end}`, { force: true });
}
