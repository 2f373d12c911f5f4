// Tests that ask for the whole schema get a copy of one migrated database, each its own.
import { expect, describe, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { dialects, openTestDatabase } from "../database.ts";

describe.each(dialects)("%s", (dialect) => {
  test("the whole schema comes from the migrations, and two databases are apart", async () => {
    const [one, two] = await Promise.all([openTestDatabase(dialect, entities), openTestDatabase(dialect, entities)]);
    try {
      expect(await one.reads.query(sql`select name from schema_migrations`)).not.toHaveLength(0);
      await one.commits.execute({
        name: "mark",
        statements: [one.reads.statement("mark", sql`delete from schema_migrations`)],
      });
      expect(await two.reads.query(sql`select name from schema_migrations`)).not.toHaveLength(0);
    } finally {
      await one.dispose();
      await two.dispose();
    }
  });

  test("part of the schema has its own tables only", async () => {
    const part = entities.slice(0, 2);
    const database = await openTestDatabase(dialect, part);
    try {
      for (const { name } of part)
        expect(await database.reads.query(sql`select * from ${sql.table(name)}`)).toEqual([]);
      await expect(database.reads.query(sql`select * from schema_migrations`)).rejects.toThrow(/schema_migrations/);
    } finally {
      await database.dispose();
    }
  });
});
