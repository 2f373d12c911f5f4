// An opened database: migrated, with its codecs, its store and its committer.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Committer, type CommitterOptions } from "./commit.ts";
import { migrate } from "./migrate.ts";
import { createOrm, parseDatabaseUrl, tablesOf, type AnyEntity } from "./orm.ts";
import { inspectPostgres, postgresRefusal } from "./postgresql/inspect.ts";
import { PostgresStore } from "./postgresql/store.ts";
import { inspectSqlite, sqliteRefusal } from "./sqlite/inspect.ts";
import { SqliteStore } from "./sqlite/store.ts";
import { Reader } from "./read.ts";
import type { Store } from "./store.ts";
import type { Dialect, Tables } from "./table.ts";
import { StoreWatch, type WatchOptions } from "./watch.ts";

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
  /** Migrations that this opening applied. */
  readonly migrated: readonly string[];
  /** Settles what was accepted, then lets go of the database. */
  close(): Promise<void>;
}

export interface OpenOptions extends CommitterOptions, WatchOptions {
  /** `sqlite:<file>` or `postgresql://…`. */
  readonly url: string;
  readonly entities: readonly AnyEntity[];
}

/** Opens and migrates a database. SQLite files and their folders are made when absent. Throws `DatabaseRefused` or `SchemaTooNew`, with a sentence for whoever starts the panel. */
export async function openDatabase({ url, entities, ...options }: OpenOptions): Promise<Database> {
  const location = parseDatabaseUrl(url);
  const sqlite = location.dialect === "sqlite";
  if (sqlite) {
    mkdirSync(dirname(location.target), { recursive: true, mode: 0o700 });
    inspectSqlite(location.target);
  } else await inspectPostgres(location.target);
  const orm = await createOrm(location, entities);
  let migrated: string[];
  try {
    migrated = await migrate(orm, location);
  } catch (error) {
    throw sqlite ? sqliteRefusal(error, location.target) : postgresRefusal(error, location.target);
  } finally {
    await orm.close(true);
  }
  const tables = tablesOf(orm, entities, location.dialect);
  const boot = randomUUID();
  const bare = sqlite ? new SqliteStore(location.target, tables) : new PostgresStore(location.target, tables, boot);
  const store = new StoreWatch(bare, options);
  const commits = new Committer(store, tables, options);
  return {
    dialect: location.dialect,
    tables,
    store,
    commits,
    reads: new Reader(store, tables),
    boot,
    migrated,
    close: async () => {
      await commits.drain();
      await store.close();
    },
  };
}
