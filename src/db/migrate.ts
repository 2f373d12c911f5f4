// Forward-only migrations, one folder per dialect. Who may run on their schema: `schema-level.ts`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MikroORM, Transaction } from "@mikro-orm/core";
import type { MikroORM as PostgresORM } from "@mikro-orm/postgresql";
import type { MikroORM as SqliteORM } from "@mikro-orm/sqlite";
import { migrationsFolder, type Location } from "./orm.ts";
import { MARKED_SINCE, oldestPanels, standingOf, type AppliedMigration, type Standing } from "./schema-level.ts";

type Orm = SqliteORM | PostgresORM;

/** Held on the PostgreSQL server while one process migrates: any number that nobody else uses. */
const MIGRATION_LOCK = 7_446_274_125;

/** What a migration's file exports. */
type MigrationFile = Readonly<Record<string, { readonly additive?: unknown }>>;

export interface Migrated {
  /** Names of the migrations that this run applied. */
  readonly applied: readonly string[];
  /** See `Standing`: the schema is newer than this panel, which may run on it and applied nothing. */
  readonly newer: string | undefined;
}

/**
 * Applies what is pending, all of it or nothing. Several processes may call it at once: one migrates, the others find
 * it done. Throws `SchemaTooNew` when the database was migrated by a newer version that this one cannot run beside.
 */
export async function migrate(orm: Orm, location: Location): Promise<Migrated> {
  return location.dialect === "sqlite" ? migrateSqlite(orm) : migratePostgres(orm, location.target);
}

/** Makes the schema of an older version, by name of its newest migration, in a database that is empty. */
export async function makeSchema(orm: Orm, schema: string): Promise<void> {
  requireKnown(orm, schema);
  await makeTable(orm);
  await applyAll(orm, async () => {}, schema);
}

/**
 * Applies what is pending, up to `to` or all of it, where the ORM's one connection is within a transaction of the
 * caller's (`ormWithin`).
 */
export async function migrateWithin(orm: Orm, to?: string): Promise<void> {
  if (to !== undefined) requireKnown(orm, to);
  await makeTable(orm);
  await apply(orm, to);
}

function requireKnown(orm: Orm, schema: string): void {
  if (!knownMigrations(orm).has(schema)) throw new SchemaUnknown(`this version has no migration ${schema}`);
}

/** The table of migrations, where there is none. */
async function makeTable(orm: Orm): Promise<void> {
  await orm.migrator.getExecuted();
}

/** The newest migration that this version has: the schema of what it writes. */
export function newestMigration(dialect: Location["dialect"]): string {
  const newest = migrationsIn(migrationsFolder(dialect)).toSorted().at(-1);
  if (newest === undefined) throw new Error("this version has no migrations");
  return newest;
}

/** The schema is none of this version's or of an older one. */
export class SchemaUnknown extends Error {
  override readonly name = "SchemaUnknown";
}

/**
 * Foreign keys are off meanwhile, from outside the transaction, where alone SQLite takes that: a table that is rebuilt
 * would otherwise take its children with it. References are checked before the commit instead.
 */
async function migrateSqlite(orm: Orm): Promise<Migrated> {
  const { pending, newer } = await standing(orm);
  if (pending.length === 0) return { applied: [], newer };
  const connection = orm.em.getConnection();
  await connection.execute("pragma foreign_keys = off");
  try {
    const applied = await applyAll(orm, async (transaction) => {
      const broken: unknown[] = await connection.execute("pragma foreign_key_check", [], "all", transaction);
      if (broken.length > 0)
        throw new Error(`a migration leaves ${broken.length} dangling references: ${JSON.stringify(broken[0])}`);
    });
    return { applied, newer };
  } finally {
    await connection.execute("pragma foreign_keys = on");
  }
}

/**
 * The lock is a transaction's, not a session's: behind a pooler a session outlives its client, and so would its lock.
 */
async function migratePostgres(orm: Orm, url: string): Promise<Migrated> {
  const { default: pg } = await import("pg");
  const lock = new pg.Client({ connectionString: url });
  // What ends the connection also fails the query; between two there is nothing to lose but the lock.
  lock.on("error", () => {});
  await lock.connect();
  try {
    await lock.query("begin; set local idle_in_transaction_session_timeout = 0");
    await lock.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const { pending, newer } = await standing(orm);
    if (pending.length === 0) return { applied: [], newer };
    const applied = await applyAll(orm, async () => {});
    await lock.query("commit");
    return { applied, newer };
  } finally {
    await lock.end().catch(() => {});
  }
}

/** Applies what is pending in one transaction. `check`: the last word before the commit. */
async function applyAll(orm: Orm, check: (transaction: Transaction) => Promise<void>, to?: string): Promise<string[]> {
  return orm.em.fork().transactional(async (em) => {
    const transaction: Transaction = em.getTransactionContext();
    const applied = await apply(orm, to, transaction);
    await check(transaction);
    return applied;
  });
}

/** Applies what is pending, and writes down who may run on it. */
async function apply(orm: Orm, to: string | undefined, transaction?: Transaction): Promise<string[]> {
  const before = await appliedIn(orm, transaction);
  const applied = await orm.migrator.up({ ...(to !== undefined && { to }), ...(transaction && { transaction }) });
  const run = await Promise.all(
    applied.map(async ({ name }) => ({ name, additive: await isAdditive(join(folderOf(orm), `${name}.ts`)) })),
  );
  if ([...before, ...run].some(({ name }) => name === MARKED_SINCE))
    for (const { name, oldest } of oldestPanels(before, run))
      await orm.em
        .getConnection()
        .execute("update schema_migrations set oldest = ? where name = ?", [oldest, name], "run", transaction);
  return run.map(({ name }) => name);
}

async function standing(orm: Orm): Promise<Standing> {
  await makeTable(orm);
  return standingOf(await appliedIn(orm), knownMigrations(orm));
}

/** What the database has, in the order in which it was applied. */
async function appliedIn(orm: Orm, transaction?: Transaction): Promise<AppliedMigration[]> {
  const connection = orm.em.getConnection();
  return connection.execute("select * from schema_migrations order by id", [], "all", transaction);
}

/** What the migration says of itself, in both dialects alike (`npm run migration`). */
async function isAdditive(file: string): Promise<boolean> {
  const exported: MigrationFile = await import(pathToFileURL(file).href);
  return Object.values(exported).some(({ additive }) => additive === true);
}

function folderOf(orm: MikroORM): string {
  const { path } = orm.config.get("migrations");
  if (path === undefined) throw new Error("the ORM has no folder of migrations");
  return path;
}

/** Names of the migrations that this version has. */
function knownMigrations(orm: MikroORM): Set<string> {
  return new Set(migrationsIn(folderOf(orm)));
}

function migrationsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length));
}
