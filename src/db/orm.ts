// MikroORM: what it is used for here is the entities' metadata and the migrations. Rows are read and written through
// the store. Of the two drivers only the one in use is loaded.
import { fileURLToPath } from "node:url";
import type { EntityMetadata, MigrationsOptions } from "@mikro-orm/core";
import { Migrator } from "@mikro-orm/migrations";
import type { MikroORM as PostgresORM } from "@mikro-orm/postgresql";
import type { MikroORM as SqliteORM } from "@mikro-orm/sqlite";
import { IdBlockRows } from "./blocks.entity.ts";
import { CommitLogRows } from "./commit-log.entity.ts";
import { ProcessRows } from "./processes.entity.ts";
import { sealedColumns } from "./sealed.ts";
import { Table, Tables, type Dialect, type Entity } from "./table.ts";

/** Where the panel keeps its data: a SQLite file or a PostgreSQL server. */
export interface Location {
  readonly dialect: Dialect;
  /** SQLite: the file. PostgreSQL: the URL. */
  readonly target: string;
}

/** Reads `sqlite:<file>` or `postgresql://…`; throws a sentence for anything else. */
export function parseDatabaseUrl(url: string): Location {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length)
    return { dialect: "sqlite", target: url.slice("sqlite:".length) };
  if (/^postgres(ql)?:\/\//.test(url)) return { dialect: "postgresql", target: url };
  throw new Error("SIGNALBOX_DATABASE_URL must be sqlite:<file> or postgresql://…");
}

/** An entity of whatever rows. */
export type AnyEntity = Omit<Entity<object>, "row">;

/** Tables of the database's own. */
const OWN: readonly AnyEntity[] = [IdBlockRows, CommitLogRows, ProcessRows];

/** Where a dialect's migrations and their snapshot are. */
export function migrationsFolder(dialect: Dialect): string {
  return fileURLToPath(new URL(`../../migrations/${dialect}`, import.meta.url));
}

/** A connection of the caller's in place of one of the ORM's own, and the schema in which its tables are. */
export interface HeldConnection {
  /** A dialect of kysely. */
  readonly driverOptions: object;
  readonly schema: string;
}

/**
 * An ORM for migrations and metadata; connects only when something is asked of the database. `migrations`: what differs
 * from running the panel's own, for the script that writes them and for tests.
 */
export async function createOrm(
  location: Location,
  entities: readonly AnyEntity[],
  migrations: MigrationsOptions = {},
  held?: HeldConnection,
): Promise<SqliteORM | PostgresORM> {
  const common = {
    entities: [...OWN, ...entities].map((each) => each.schema),
    extensions: [Migrator],
    migrations: {
      path: migrationsFolder(location.dialect),
      snapshot: false,
      snapshotName: ".snapshot",
      silent: true,
      tableName: "schema_migrations",
      transactional: true,
      allOrNothing: true,
      ...migrations,
    },
    debug: false,
  };
  if (location.dialect === "postgresql") {
    const { defineConfig, MikroORM } = await import("@mikro-orm/postgresql");
    return MikroORM.init(defineConfig({ ...common, ...held, clientUrl: location.target }));
  }
  const { defineConfig, MikroORM } = await import("@mikro-orm/sqlite");
  return MikroORM.init(defineConfig({ ...common, dbName: location.target }));
}

/**
 * SQLite makes a column the table's own row id only where its type is written INTEGER: without that every table carries
 * a second tree for its key.
 */
export function rowIdKeys(statement: string): string {
  return statement.replaceAll(/(`\w+`) bigint not null primary key/g, "$1 integer not null primary key");
}

/**
 * Leaves room on the page for a second version of rows that batches change often: PostgreSQL then updates no index.
 */
export function roomForUpdates(statement: string): string {
  return statement.replaceAll(
    /(create table "(?:user_usage|node_usage|usage_cursors|state_counts)" \(.*\));/g,
    "$1 with (fillfactor = 70);",
  );
}

/** Row codecs of all entities. */
export function tablesOf(orm: SqliteORM | PostgresORM, entities: readonly AnyEntity[], dialect: Dialect): Tables {
  const metadata = orm.getMetadata();
  return new Tables(
    [...OWN, ...entities].map((entity) => {
      const { schema, owned = false, triggers = false, archive } = entity;
      const sealed = sealedColumns([entity]).map(({ column, partly }) => ({ column, partly }));
      const options = { owned, triggers, ...(archive && { archive }) };
      return new Table(metadata.get<EntityMetadata>(schema as never), dialect, options, sealed);
    }),
  );
}
