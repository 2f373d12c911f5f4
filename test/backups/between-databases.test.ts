// What an archive of one database says comes into another one and out of it again, to the byte, whichever they are.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeArchive, type ArchivedTable } from "../../src/backups/archive/make-archive.ts";
import { readArchive } from "../../src/backups/archive/read-archive.ts";
import { parseDatabaseUrl } from "../../src/db/orm.ts";
import { loadPostgres } from "../../src/db/postgresql/loader.ts";
import { loadSqlite } from "../../src/db/sqlite/loader.ts";
import type { Loader } from "../../src/db/snapshot/loader.ts";
import { shapeOf } from "../../src/db/snapshot/snapshot.ts";
import type { Dialect } from "../../src/db/table.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, createMigratedDatabase, dialects } from "../database.ts";
import { addSomeRow } from "../migrations/fixture.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-between-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Sealed texts are tried elsewhere: here nothing is sealed. */
const tablesOf = (database: Awaited<ReturnType<typeof connectTestDatabase>>): ArchivedTable[] => {
  const never = new Set(entities.flatMap(({ name, archive }) => (archive === "never" ? [name] : [])));
  return [...database.tables.all()]
    .filter(({ name }) => !never.has(name) && !["commit_log", "processes"].includes(name))
    .map((table) => ({ ...shapeOf(table), sealed: [] }));
};

async function archived(url: string, name: string) {
  const database = await connectTestDatabase(url, entities);
  const tables = tablesOf(database);
  await database.close();
  const spool = join(directory, `spool-${name}`);
  mkdirSync(spool);
  const file = join(directory, name);
  const location = parseDatabaseUrl(url);
  const about = {
    format: 1,
    version: "0.1.0",
    schema: "Migration20261128165000_narrow_credentials",
    database: location.dialect,
    history: true,
    audit: true,
  } as const;
  const order = { location, tables, about, spool, file, key: new Uint8Array(32), passphrase: "" };
  const made = await makeArchive(order, () => 1_800_000_000_000);
  return { file, made };
}

async function withLoader(url: string, use: (loader: Loader) => Promise<void>): Promise<void> {
  const { dialect, target } = parseDatabaseUrl(url);
  const seal = () => "";
  if (dialect === "sqlite") {
    const loader = loadSqlite(target, seal);
    await use(loader);
    loader.close();
    return;
  }
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  await client.query("begin");
  await use(await loadPostgres(client, seal));
  await client.query("commit");
  await client.end();
}

const pairs = dialects.flatMap((from) => dialects.map((to): [Dialect, Dialect] => [from, to]));

describe.each(pairs)("from %s to %s", (from, to) => {
  it("every table has the same digest", async () => {
    const [source, target] = [await createMigratedDatabase(from), await createMigratedDatabase(to)];
    try {
      const database = await connectTestDatabase(source.url, entities);
      await addSomeRow(source.url, database, entities);
      await database.close();
      const first = await archived(source.url, "first");
      await withLoader(target.url, async (loader) => {
        await readArchive(createReadStream(first.file), {
          manifest: () => {},
          rows: async (table, rows) => loader.load(table, rows),
        });
        await loader.finish();
      });
      const second = await archived(target.url, "second");
      expect(second.made.manifest.tables).toEqual(first.made.manifest.tables);
      // Rows are written with ids that are given here, so no block is taken.
      expect(first.made.manifest.tables.filter(({ rows }) => rows === 0).map(({ name }) => name)).toEqual([
        "id_blocks",
      ]);
      expect(readdirSync(directory).filter((name) => name.endsWith(".part"))).toEqual([]);
    } finally {
      await source.drop();
      await target.drop();
    }
  });
});
