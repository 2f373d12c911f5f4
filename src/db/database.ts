// An opened database: migrated, with its codecs, its store and its committer.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Committer, type CommitterOptions } from "./commit.ts";
import { migrate, type Migrated } from "./migrate.ts";
import { createOrm, parseDatabaseUrl, tablesOf, type AnyEntity } from "./orm.ts";
import { Reader } from "./read.ts";
import type { Store } from "./store.ts";
import type { Dialect, Tables } from "./table.ts";
import { StoreWatch, type WatchOptions } from "./store-watch.ts";

export interface Database {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly store: Store;
  /** Every change goes through this. */
  readonly commits: Committer;
  /** Every read outside a command goes through this. */
  readonly reads: Reader;
  /** Names this run of the process, to itself and to the other processes on the database. */
  readonly boot: string;
  /** What this opening found and applied of the schema. */
  readonly schema: Migrated;
  /** Settles what was accepted, then lets go of the database. */
  close(): Promise<void>;
}

export interface OpenOptions extends CommitterOptions, WatchOptions {
  /** `sqlite:<file>` or `postgresql://…`. */
  readonly url: string;
  readonly entities: readonly AnyEntity[];
}

/**
 * Opens and migrates a database. SQLite files and their folders are made when absent. Throws `DatabaseRefused` or
 * `SchemaTooNew`, with a sentence for the person who starts the panel.
 */
export async function openDatabase({ url, entities, ...options }: OpenOptions): Promise<Database> {
  const location = parseDatabaseUrl(url);
  const boot = randomUUID();
  const opening =
    location.dialect === "sqlite" ? await openSqlite(location.target) : await openPostgres(location.target, boot);
  const orm = await createOrm(location, entities);
  let schema: Migrated;
  try {
    schema = await migrate(orm, location);
  } catch (error) {
    throw opening.refusal(error);
  } finally {
    await orm.close(true);
  }
  const tables = tablesOf(orm, entities, location.dialect);
  const store = new StoreWatch(opening.store(tables), options);
  const commits = new Committer(store, tables, options);
  return {
    dialect: location.dialect,
    tables,
    store,
    commits,
    reads: new Reader(store, tables),
    boot,
    schema,
    close: async () => {
      await commits.drain();
      await store.close();
    },
  };
}

/** A database that was looked at. */
interface Opening {
  /** Explains a migration error to the person who starts the panel. */
  refusal(error: unknown): unknown;
  store(tables: Tables): Store;
}

// Each dialect's own parts are loaded when they are asked for: a panel on SQLite never needs the other's driver.

async function openSqlite(file: string): Promise<Opening> {
  const { inspectSqlite, sqliteRefusal } = await import("./sqlite/inspect.ts");
  const { SqliteStore } = await import("./sqlite/store.ts");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  inspectSqlite(file);
  return { refusal: (error) => sqliteRefusal(error, file), store: (tables) => new SqliteStore(file, tables) };
}

async function openPostgres(url: string, boot: string): Promise<Opening> {
  const { inspectPostgres, postgresRefusal } = await import("./postgresql/inspect.ts");
  const { PostgresStore } = await import("./postgresql/store.ts");
  await inspectPostgres(url);
  return { refusal: (error) => postgresRefusal(error, url), store: (tables) => new PostgresStore(url, tables, boot) };
}
