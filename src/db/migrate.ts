// Forward-only migrations, one folder per dialect.
import type { MikroORM as PostgresORM } from "@mikro-orm/postgresql";
import type { MikroORM as SqliteORM } from "@mikro-orm/sqlite";

/** The database was written by a newer version; going on would damage it. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
}

/**
 * Applies what is pending and resolves to the names applied. On SQLite foreign keys are off meanwhile, outside the migrator's transaction: a table that is rebuilt
 * would otherwise take its children with it. Dangling references that a migration left are an error.
 */
export async function migrate(orm: SqliteORM | PostgresORM, dialect: "sqlite" | "postgresql"): Promise<string[]> {
  const migrator = orm.migrator;
  const known = new Set((await migrator.getPending()).map((migration) => migration.name));
  const executed = await migrator.getExecuted();
  const files = new Set([...known, ...executed.map((row) => row.name)]);
  if (executed.length > 0 && known.size === 0 && files.size < executed.length) throw new SchemaTooNew("unknown migrations");
  if (known.size === 0) return [];
  const connection = orm.em.getConnection();
  if (dialect === "sqlite") await connection.execute("pragma foreign_keys = off");
  const applied = await migrator.up();
  if (dialect === "sqlite") {
    const broken: unknown[] = await connection.execute("pragma foreign_key_check");
    await connection.execute("pragma foreign_keys = on");
    if (broken.length > 0) throw new Error("a migration left dangling references");
  }
  return applied.map((migration) => migration.name);
}
