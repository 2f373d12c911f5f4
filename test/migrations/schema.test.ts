// Entities, snapshots, migrations and a migrated database say the same.
import { readdirSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { createOrm, migrationsFolder, parseDatabaseUrl, type Location } from "../../src/db/orm.ts";
import type { Dialect } from "../../src/db/table.ts";
import { entities } from "../../src/panel/entities.ts";
import { createEmptyDatabase, dialects } from "../database.ts";
import { migrateWith } from "./fixture.ts";

/** Nothing is asked of these. */
const OFFLINE: Record<Dialect, Location> = {
  sqlite: { dialect: "sqlite", target: "unused.db" },
  postgresql: { dialect: "postgresql", target: "postgresql://unused.invalid/unused" },
};

function filesOf(dialect: Dialect): string[] {
  return readdirSync(migrationsFolder(dialect)).filter((file) => file.endsWith(".ts"));
}

/**
 * Tables, columns and indexes of a SQLite file. Migrations write `integer` for keys that are row ids, where the
 * entities say `bigint`: both are shown alike. The full-text table of accounts is SQLite's own, which entities cannot
 * say.
 */
function sqliteSchema(url: string): unknown {
  const database = new Database(parseDatabaseUrl(url).target, { readonly: true });
  const all = (query: string) => database.prepare(query).all();
  const columns = all(
    `select m.name as "table", c.name, case when c.pk = 1 and c.type = 'INTEGER' then 'BIGINT' else upper(c.type) end as type, c."notnull", c.pk
     from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and m.name <> 'schema_migrations' and m.name not like 'sqlite\\_%' escape '\\' and m.name not like 'user\\_text\\_grams%' escape '\\' order by 1, 2`,
  );
  const indexes = all(
    `select m.name as "table", i.name, i."unique", c.seqno, c.name as "column"
     from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c where m.type = 'table' and i.origin = 'c' order by 1, 2, 4`,
  );
  database.close();
  return { columns, indexes };
}

/** The schema of the entities, as a SQLite file of its own. */
async function sqliteSchemaOfEntities(): Promise<unknown> {
  const { url, drop } = await createEmptyDatabase("sqlite");
  try {
    const orm = await createOrm(parseDatabaseUrl(url), entities);
    await orm.schema.create();
    await orm.close(true);
    return sqliteSchema(url);
  } finally {
    await drop();
  }
}

/**
 * SQL that would bring a PostgreSQL database to the schema of the entities; empty when it has it. The search of
 * accounts has an index over a function of its own, which entities cannot say.
 */
async function postgresDifference(url: string): Promise<string> {
  const orm = await createOrm(parseDatabaseUrl(url), entities);
  try {
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false, dropTables: false });
    return difference.replace('drop index "user_texts_grams";', "").trim();
  } finally {
    await orm.close(true);
  }
}

test("both dialects have the same migrations", () => {
  expect(filesOf("sqlite").length).toBeGreaterThan(0);
  expect(filesOf("sqlite")).toEqual(filesOf("postgresql"));
});

describe.each(["sqlite", "postgresql"] as const)("%s, offline", (dialect) => {
  test("no entity has changed since the last migration (else: npm run migration -- NAME)", async () => {
    const orm = await createOrm(OFFLINE[dialect], entities, { snapshot: true });
    try {
      expect(await orm.migrator.checkSchema()).toBe(false);
    } finally {
      await orm.close(true);
    }
  });
});

describe.each(dialects)("%s", (dialect) => {
  test("migrations make, from empty, the schema of the entities; a second run has nothing to do", async () => {
    const { url, drop } = await createEmptyDatabase(dialect);
    try {
      expect(await migrateWith(url)).toEqual(filesOf(dialect).map((file) => file.slice(0, -".ts".length)));
      expect(await migrateWith(url)).toEqual([]);
      if (dialect === "sqlite") expect(sqliteSchema(url)).toEqual(await sqliteSchemaOfEntities());
      else expect(await postgresDifference(url)).toBe("");
    } finally {
      await drop();
    }
  });

  if (dialect === "sqlite")
    test("credentials stand in their key alone: every new account adds four at random places", async () => {
      const { url, drop } = await createEmptyDatabase(dialect);
      try {
        await migrateWith(url);
        const database = new Database(parseDatabaseUrl(url).target, { readonly: true });
        const table = database.prepare("select wr from pragma_table_list where name = 'user_credentials'").get();
        database.close();
        expect(table).toEqual({ wr: 1 });
      } finally {
        await drop();
      }
    });

  if (dialect === "sqlite")
    test("a key that is a number is the table's row id", async () => {
      const { url, drop } = await createEmptyDatabase(dialect);
      try {
        await migrateWith(url);
        const database = new Database(parseDatabaseUrl(url).target, { readonly: true });
        const key = database.prepare<[string], { type: string }>("select type from pragma_table_info(?) where pk = 1");
        const types = new Set(entities.map(({ name }) => key.get(name)?.type));
        database.close();
        expect(types).toEqual(new Set(["INTEGER", "TEXT"]));
      } finally {
        await drop();
      }
    });

  if (dialect === "sqlite")
    test("the entities say which tables have triggers", async () => {
      const { url, drop } = await createEmptyDatabase(dialect);
      try {
        await migrateWith(url);
        const database = new Database(parseDatabaseUrl(url).target, { readonly: true });
        const tables = database.prepare("select distinct tbl_name from sqlite_master where type = 'trigger'").pluck();
        const marked = entities.flatMap(({ name, ...each }) => ("triggers" in each ? [name] : []));
        expect(marked).toEqual(tables.all());
        database.close();
      } finally {
        await drop();
      }
    });

  // rule process.start.4
  if (dialect === "postgresql")
    test("of two processes that start at once, one migrates and the other finds it done", async () => {
      const { url, drop } = await createEmptyDatabase(dialect);
      try {
        const applied = await Promise.all([migrateWith(url), migrateWith(url), migrateWith(url)]);
        expect(applied.map((names) => names.length).toSorted((a, b) => a - b)).toEqual([0, 0, filesOf(dialect).length]);
      } finally {
        await drop();
      }
    });
});
