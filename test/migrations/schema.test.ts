// Entities, snapshots, migrations and a migrated database say the same.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createOrm, migrationsFolder, parseDatabaseUrl, type Location } from "../../src/db/orm.ts";
import type { Dialect } from "../../src/db/table.ts";
import { entities } from "../../src/entities.ts";
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
      const orm = await createOrm(parseDatabaseUrl(url), entities);
      const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false, dropTables: false });
      await orm.close(true);
      expect(difference.trim()).toBe("");
    } finally {
      await drop();
    }
  });

  test.runIf(dialect === "postgresql")("of two processes that start at once, one migrates and the other finds it done", async () => {
    const { url, drop } = await createEmptyDatabase(dialect);
    try {
      const applied = await Promise.all([migrateWith(url), migrateWith(url), migrateWith(url)]);
      expect(applied.map((names) => names.length).toSorted()).toEqual([0, 0, filesOf(dialect).length]);
    } finally {
      await drop();
    }
  });
});
