// Databases for tests: a fresh one per call, with the tables of the entities asked for, on SQLite and, where PG_URL
// names a server, on PostgreSQL.
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Database } from "../src/db/database.ts";
import { Follower } from "../src/db/follow.ts";
import { createOrm, parseDatabaseUrl, roomForUpdates, rowIdKeys, type AnyEntity } from "../src/db/orm.ts";
import type { Draft } from "../src/db/draft.ts";
import type { Dialect } from "../src/db/table.ts";
import { systemClock } from "../src/lib/clock.ts";
import { connectTestDatabase } from "./connect.ts";
import { migratedTemplate, templateFor } from "./template.ts";

export { connectTestDatabase };

const server = process.env["PG_URL"];
if (!server && process.env["CI"] === "true") throw new Error("PG_URL must name a PostgreSQL server in CI");
if (!server) console.warn("skipped: tests on PostgreSQL (PG_URL does not name a server)");

/** The dialects that this run can test: `describe.each(dialects)(…)`. */
export const dialects: readonly Dialect[] = server ? ["sqlite", "postgresql"] : ["sqlite"];

/** A database of its own, as a URL: empty, or a copy of a template. `drop` removes it. */
export async function createEmptyDatabase(
  dialect: Dialect,
  template?: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  if (dialect === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
    if (template !== undefined) copyFileSync(template, join(folder, "panel.db"));
    return {
      url: `sqlite:${join(folder, "panel.db")}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  if (!server) throw new Error("PG_URL does not name a server");
  const name = `signalbox_test_${randomBytes(8).toString("hex")}`;
  await onServer(`create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface TestDatabase extends Database {
  readonly url: string;
  /** Closes and removes it. */
  dispose(): Promise<void>;
}

/** A closed database as a first start of the panel leaves it, for a panel that need not migrate one more. */
export async function createMigratedDatabase(dialect: Dialect): Promise<{ url: string; drop(): Promise<void> }> {
  return createEmptyDatabase(dialect, await migratedTemplate(dialect, server));
}

/**
 * A closed database with the tables of `entities`, for a process of its own; `drop` removes it. The panel's whole
 * schema comes from its migrations, part of it from the entities' definitions.
 */
export async function createTestDatabase(
  dialect: Dialect,
  entities: readonly AnyEntity[],
): Promise<{ url: string; drop(): Promise<void> }> {
  const template = await templateFor(dialect, entities, server);
  if (template !== undefined) return createEmptyDatabase(dialect, template);
  const created = await createEmptyDatabase(dialect);
  const orm = await createOrm(parseDatabaseUrl(created.url), entities);
  const schema = await orm.schema.getCreateSchemaSQL();
  await orm.schema.execute(dialect === "sqlite" ? rowIdKeys(schema) : roomForUpdates(schema));
  await orm.close(true);
  return created;
}

/** Makes one more table in a database that has the panel's: what a migration would do. */
export async function addTable(url: string, table: AnyEntity): Promise<void> {
  const location = parseDatabaseUrl(url);
  const orm = await createOrm(location, [table]);
  const schema = (await orm.schema.getCreateSchemaSQL()).split("\n").filter((line) => line.includes(table.name));
  await orm.schema.execute((location.dialect === "sqlite" ? rowIdKeys : roomForUpdates)(schema.join("\n")));
  await orm.close(true);
}

/** An opened database with the tables of `entities`, see `createTestDatabase`. `now` is the clock of commits. */
export async function openTestDatabase(
  dialect: Dialect,
  entities: readonly AnyEntity[],
  now: () => number = Date.now,
  consequences?: (draft: Draft) => void,
): Promise<TestDatabase> {
  const { url, drop } = await createTestDatabase(dialect, entities);
  const database = await connectTestDatabase(url, entities, now, undefined, consequences);
  return {
    ...database,
    url,
    dispose: async () => {
      await database.close();
      await drop();
    },
  };
}

/** Follows what other processes commit to a shared database. To be stopped before the database is closed. */
export function follow({ store, commits, reads }: Database): Promise<Follower> {
  if (!store.log) throw new Error("no other process can be on this database");
  const failed = (error?: unknown) => {
    throw error instanceof Error ? error : new Error("the follower lost its place");
  };
  return Follower.open({ log: store.log, commits, reads, clock: systemClock, onError: failed, onLost: failed });
}
