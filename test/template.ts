// Migrated databases to copy, one per dialect and set of migrations: a test that asks for the panel's whole schema need
// not migrate its own. Made by the first test that asks, found by all others (of later runs too), since their names
// carry a digest of the migrations.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../src/db/migrate.ts";
import { createOrm, migrationsFolder, type AnyEntity } from "../src/db/orm.ts";
import type { Dialect } from "../src/db/table.ts";

/** Held while a template is being made on the PostgreSQL server. */
const TEMPLATE_LOCK = 7_446_274_126;

const known = new Map<Dialect, Promise<string | undefined>>();

/**
 * A migrated database to copy: the file on SQLite, the database's name on PostgreSQL. Undefined when the migrations
 * would not make exactly the tables of `entities`: for part of the schema, and while entities are ahead of the
 * migrations. `server`: URL of the PostgreSQL server.
 */
export async function templateFor(
  dialect: Dialect,
  entities: readonly AnyEntity[],
  server: string | undefined,
): Promise<string | undefined> {
  const snapshot = join(migrationsFolder(dialect), ".snapshot.json");
  if (!existsSync(snapshot)) return undefined;
  const { tables } = JSON.parse(readFileSync(snapshot, "utf8")) as { tables: { name: string }[] };
  const asked = new Set(["id_blocks", "commit_log", "processes", ...entities.map(({ name }) => name)]);
  if (tables.length !== asked.size || !tables.every(({ name }) => asked.has(name))) return undefined;
  let template = known.get(dialect);
  if (!template) {
    template = findOrMake(dialect, entities, server);
    known.set(dialect, template);
  }
  return template;
}

/**
 * The database that a first start of the panel's program leaves, to copy, for a program or a panel that migrates what
 * it finds: nobody has to load the panel's entities where it is there already.
 */
export async function migratedTemplate(dialect: Dialect, server: string | undefined): Promise<string> {
  const name = nameOf(dialect);
  const file = join(tmpdir(), `${name}.db`);
  if (dialect === "sqlite" && existsSync(file)) return file;
  if (dialect === "postgresql" && (await isOn(server, name))) return name;
  const { entities } = await import("../src/panel/entities.ts");
  return make(dialect, entities, server);
}

async function isOn(server: string | undefined, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query("select 1 from pg_database where datname = $1", [name])).rowCount === 1;
  } finally {
    await client.end();
  }
}

async function findOrMake(
  dialect: Dialect,
  entities: readonly AnyEntity[],
  server: string | undefined,
): Promise<string | undefined> {
  const unused = dialect === "sqlite" ? "unused.db" : "postgresql://unused.invalid/unused";
  const offline = await createOrm({ dialect, target: unused }, entities, { snapshot: true });
  const changed = await offline.migrator.checkSchema();
  await offline.close(true);
  return changed ? undefined : make(dialect, entities, server);
}

async function make(dialect: Dialect, entities: readonly AnyEntity[], server: string | undefined): Promise<string> {
  const name = nameOf(dialect);
  if (dialect === "sqlite") return makeFile(join(tmpdir(), `${name}.db`), entities);
  if (server === undefined) throw new Error("PG_URL does not name a server");
  return makeDatabase(server, name, entities);
}

function nameOf(dialect: Dialect): string {
  const folder = migrationsFolder(dialect);
  const digest = createHash("sha256");
  for (const file of readdirSync(folder).toSorted()) digest.update(file).update(readFileSync(join(folder, file)));
  return `signalbox_template_${digest.digest("hex").slice(0, 16)}`;
}

/** Workers that make it at the same time each rename a whole file into place. */
async function makeFile(file: string, entities: readonly AnyEntity[]): Promise<string> {
  if (existsSync(file)) return file;
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const location = { dialect: "sqlite", target: draft } as const;
  const orm = await createOrm(location, entities);
  await migrate(orm, location);
  await orm.close(true);
  renameSync(draft, file);
  return file;
}

async function makeDatabase(server: string, name: string, entities: readonly AnyEntity[]): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 1) return name;
    // Under another name until it is whole: a run that is ended in between must not leave half a template.
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    const url = new URL(server);
    url.pathname = `/${draft}`;
    const location = { dialect: "postgresql", target: url.href } as const;
    const orm = await createOrm(location, entities);
    await migrate(orm, location);
    await orm.close(true);
    await client.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}
