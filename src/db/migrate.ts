// Forward-only migrations, one folder per dialect.
import { readdirSync } from "node:fs";
import type { MikroORM } from "@mikro-orm/core";
import type { MikroORM as PostgresORM } from "@mikro-orm/postgresql";
import type { MikroORM as SqliteORM } from "@mikro-orm/sqlite";
import type { Location } from "./orm.ts";

/** The database was written by a newer version; going on would damage it. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
}

/** Held on the PostgreSQL server while one process migrates: any number that nobody else uses. */
const MIGRATION_LOCK = 7_446_274_125;

/**
 * Applies what is pending, all of it or nothing, and resolves to the names applied. Several processes may call it at
 * once: one migrates, the others find it done. Throws `SchemaTooNew` when the database knows a migration that this
 * version does not have.
 */
export async function migrate(orm: SqliteORM | PostgresORM, location: Location): Promise<string[]> {
  return location.dialect === "sqlite" ? migrateSqlite(orm) : migratePostgres(orm, location.target);
}

/**
 * Foreign keys are off meanwhile, from outside the transaction, where alone SQLite takes that: a table that is rebuilt
 * would otherwise take its children with it. References are checked before the commit instead.
 */
async function migrateSqlite(orm: SqliteORM | PostgresORM): Promise<string[]> {
  if (!(await anythingPending(orm))) return [];
  const connection = orm.em.getConnection();
  await connection.execute("pragma foreign_keys = off");
  try {
    return await orm.em.fork().transactional(async (em) => {
      const transaction = em.getTransactionContext();
      const applied = await orm.migrator.up({ transaction });
      const broken: unknown[] = await connection.execute("pragma foreign_key_check", [], "all", transaction);
      if (broken.length > 0)
        throw new Error(`a migration leaves ${broken.length} dangling references: ${JSON.stringify(broken[0])}`);
      return applied.map((migration) => migration.name);
    });
  } finally {
    await connection.execute("pragma foreign_keys = on");
  }
}

/**
 * The lock is a transaction's, not a session's: behind a pooler a session outlives its client, and so would its lock.
 */
async function migratePostgres(orm: SqliteORM | PostgresORM, url: string): Promise<string[]> {
  const { default: pg } = await import("pg");
  const lock = new pg.Client({ connectionString: url });
  // What ends the connection also fails the query; between two there is nothing to lose but the lock.
  lock.on("error", () => {});
  await lock.connect();
  try {
    await lock.query("begin; set local idle_in_transaction_session_timeout = 0");
    await lock.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    if (!(await anythingPending(orm))) return [];
    const applied = (await orm.migrator.up()).map((migration) => migration.name);
    await lock.query("commit");
    return applied;
  } finally {
    await lock.end().catch(() => {});
  }
}

async function anythingPending(orm: SqliteORM | PostgresORM): Promise<boolean> {
  const executed = await orm.migrator.getExecuted();
  const known = knownMigrations(orm);
  const unknown = executed.map((row) => row.name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new SchemaTooNew(
      `the database was written by a newer version of Signalbox (it has the migration ${unknown[0]}); start that version, or restore a backup made before the update`,
    );
  }
  return known.size > executed.length;
}

/** Names of the migrations that this version has. */
function knownMigrations(orm: MikroORM): Set<string> {
  const { path } = orm.config.get("migrations");
  if (path === undefined) throw new Error("the ORM has no folder of migrations");
  return new Set(
    readdirSync(path)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => file.slice(0, -".ts".length)),
  );
}
