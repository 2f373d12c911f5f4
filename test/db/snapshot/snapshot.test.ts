// A snapshot is of one moment, whatever is written meanwhile, and its rows are the same on both databases.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseDatabaseUrl } from "../../../src/db/orm.ts";
import { shapeOf, takeSnapshot, type NeutralRow, type Snapshot } from "../../../src/db/snapshot/snapshot.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase, createMigratedDatabase, dialects } from "../../database.ts";
import { addSomeRow } from "../../migrations/fixture.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-snapshot-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function all(snapshot: Snapshot, table: Parameters<Snapshot["rows"]>[0]): Promise<NeutralRow[]> {
  const rows: NeutralRow[] = [];
  for await (const batch of snapshot.rows(table)) rows.push(...batch);
  return rows;
}

/** Every table with a row of every column, as a snapshot has them. */
async function someOfEach(dialect: (typeof dialects)[number]): Promise<Record<string, NeutralRow[]>> {
  const { url, drop } = await createMigratedDatabase(dialect);
  const database = await connectTestDatabase(url, entities);
  try {
    await addSomeRow(url, database, entities);
    const tables = [...database.tables.all()].map(shapeOf).filter(({ name }) => !OWN.includes(name));
    const snapshot = await takeSnapshot(parseDatabaseUrl(url), tables, directory);
    const rows: Record<string, NeutralRow[]> = {};
    for (const table of tables) rows[table.name] = await all(snapshot, table);
    await snapshot.close();
    return rows;
  } finally {
    await database.close();
    await drop();
  }
}
/** What each database writes about itself. */
const OWN = ["commit_log", "processes", "id_blocks"];

it("has the same rows on both databases", async () => {
  const [sqlite, other] = await Promise.all(dialects.map(someOfEach));
  expect(Object.values(sqlite ?? {}).every((rows) => rows.length > 0)).toBe(true);
  if (other) expect(other).toEqual(sqlite);
});

describe.each(dialects)("a snapshot on %s", (dialect) => {
  it("is of one moment, and leaves nothing", async () => {
    const { url, drop } = await createMigratedDatabase(dialect);
    const database = await connectTestDatabase(url, entities);
    try {
      const [settings] = entities.filter(({ name }) => name === "settings");
      const table = shapeOf(database.tables.named("settings"));
      const add = (id: string) =>
        database.commits.submit({
          name: "test.setting",
          locks: [],
          decide: (draft) => draft.upsert(settings as never, { id, value: "", createdAt: 1, updatedAt: 1 } as never),
        });
      await add("b");
      await add("Ä");
      await add("a");
      const snapshot = await takeSnapshot(parseDatabaseUrl(url), [table], directory);
      await add("c");
      expect((await all(snapshot, table)).map(({ id }) => id)).toEqual(["a", "b", "Ä"]);
      await snapshot.close();
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      await database.close();
      await drop();
    }
  });
});
