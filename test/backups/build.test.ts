// A SQLite database that is built of an archive's rows: of today's schema and of older ones, under another key.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SchemaUnknown } from "../../src/db/migrate.ts";
import { buildSqlite } from "../../src/db/sqlite/build.ts";
import { RowUnfit, type SealText } from "../../src/db/snapshot/loader.ts";
import { sql } from "../../src/db/index.ts";
import { openSecret, sealSecret } from "../../src/lib/seal.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase } from "../database.ts";
import { landings } from "../landings/landing.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-build-"));
  file = join(directory, "next.db");
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const NEWEST = landings().at(-1)?.migrations.at(-1) ?? "";
const noSecret: SealText = () => "";
const nothing = async () => {};

it.each(landings())("takes the rows of the landing of $name", async ({ migrations, rows }) => {
  const byTable = Map.groupBy(rows, ([table]) => table);
  await buildSqlite({
    file,
    schema: migrations.at(-1) ?? "",
    seal: noSecret,
    fill: async (loader) => {
      for (const [table, each] of byTable)
        await loader.load(
          table,
          each.map(([, row]) => row),
        );
    },
    finish: nothing,
  });
  expect(readdirSync(directory)).toEqual(["next.db"]);
  const database = await connectTestDatabase(`sqlite:${file}`, entities);
  try {
    for (const [table, each] of byTable) {
      const [{ count } = { count: -1 }] = await database.reads.query<{ count: number }>(
        sql`select count(*) as count from ${sql.table(table)}`,
      );
      expect(count, table).toBe(each.length);
    }
    // The full-text index follows.
    const [found] = await database.reads.query<{ n: number }>(sql`select count(*) as n from user_text_grams`);
    expect(found?.n).toBe(byTable.get("user_texts")?.length);
  } finally {
    await database.close();
  }
});

it("seals secrets for their place under its own key", async () => {
  const key = new Uint8Array(32).fill(7);
  const row = { id: "telegram_token", value: { $secret: "12:34" }, created_at: 1, updated_at: 1 };
  await buildSqlite({
    file,
    schema: NEWEST,
    seal: (secret, place) => (secret === null ? "" : sealSecret(key, secret, place)),
    fill: (loader) => loader.load("settings", [row, { ...row, id: "lost", value: { $secret: null } }]),
    finish: nothing,
  });
  const database = await connectTestDatabase(`sqlite:${file}`, entities);
  const stored = await database.reads.query<{ id: string; value: string }>(
    sql`select id, value from settings order by id`,
  );
  await database.close();
  expect(stored[0]).toEqual({ id: "lost", value: "" });
  expect(openSecret(key, stored[1]?.value ?? "", { table: "settings", column: "value", id: "telegram_token" })).toBe(
    "12:34",
  );
});

it.each([
  ["a table that is none", "wonders", { id: 1 }, /no table wonders/],
  [
    "a column that is none",
    "settings",
    { id: "a", value: "", created_at: 1, updated_at: 1, more: 1 },
    /more of a in settings is no column/,
  ],
  [
    "a column that is missing",
    "settings",
    { id: "a", value: "", created_at: 1 },
    /updated_at of a in settings is missing/,
  ],
  [
    "a value of another kind",
    "settings",
    { id: "a", value: 1, created_at: 1, updated_at: 1 },
    /value of a in settings is no text/,
  ],
  [
    "nothing where something must be",
    "settings",
    { id: "a", value: null, created_at: 1, updated_at: 1 },
    /value of a in settings is null/,
  ],
  ["a row without a key", "settings", { value: "", created_at: 1, updated_at: 1 }, /a row of settings has no id/],
])("refuses %s, and leaves nothing", async (_, table, row, message) => {
  const building = buildSqlite({
    file,
    schema: NEWEST,
    seal: noSecret,
    fill: (loader) => loader.load(table, [row]),
    finish: nothing,
  });
  await expect(building).rejects.toEqual(expect.objectContaining({ message: expect.stringMatching(message) }));
  await expect(building).rejects.toBeInstanceOf(RowUnfit);
  expect(existsSync(file)).toBe(false);
});

it("refuses the same row twice, and a schema that it does not know", async () => {
  const row = { id: "a", value: "", created_at: 1, updated_at: 1 };
  const twice = { file, schema: NEWEST, seal: noSecret, finish: nothing };
  await expect(buildSqlite({ ...twice, fill: (loader) => loader.load("settings", [row, row]) })).rejects.toThrow(
    /a of settings: UNIQUE/,
  );
  await expect(buildSqlite({ ...twice, schema: "Migration2999_later", fill: async () => {} })).rejects.toThrow(
    SchemaUnknown,
  );
});
