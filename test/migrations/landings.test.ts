// What earlier landings stored is still there after today's migrations, and today's charts read its actors.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sql, type Database } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import type { Row } from "../../src/db/table.ts";
import { canonicalJson } from "../../src/protocol/digest.ts";
import { PANEL } from "../../src/panel/features.ts";
import { previewEvent } from "../../src/system/actors/preview.ts";
import { connectTestDatabase, createEmptyDatabase, dialects } from "../database.ts";
import { landings, neutral, stored, type Landing } from "../landings/landing.ts";
import { copyMigrations, migrateWith } from "./fixture.ts";

const never = (): never => {
  throw new Error("no actor runs here");
};
const KINDS = [
  ...PANEL.kinds(() => ({
    timeZone: () => "UTC",
    setting: () => "",
    resident: () => never,
    errand: () => never,
    follow: () => never,
  })).values(),
].flatMap((each) => Object.values(each));

/** Columns (`table.column`) that a migration since a landing changes or drops on purpose, each with the reason. */
const CHANGED: ReadonlySet<string> = new Set();

/** Puts a landing's rows into a database with its schema. */
async function fill({ commits, reads, dialect }: Database, { columns, rows }: Landing): Promise<void> {
  const tables = Object.keys(columns).map((name) => reads.statement("empty", sql`delete from ${sql.table(name)}`));
  const inserts = rows.map(([table, row]) => {
    const kinds = columns[table] ?? {};
    const names = Object.keys(row).map((name) => sql.ref(name));
    const values = Object.entries(row).map(([name, value]) => sql`${stored(value, kinds[name] ?? "plain", dialect)}`);
    return reads.statement(
      "fill",
      sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`,
      1,
    );
  });
  await commits.execute({ name: "fill", statements: [...tables, ...inserts] });
}

/** Rows of a landing that are not there as they were. */
async function lost({ reads }: Database, { columns, rows }: Landing): Promise<string[]> {
  const text = (table: string, row: Readonly<Record<string, unknown>>) =>
    `${table} ${canonicalJson(Object.fromEntries(Object.entries(row).filter(([name]) => !CHANGED.has(`${table}.${name}`))))}`;
  const now = new Set<string>();
  for (const [table, kinds] of Object.entries(columns)) {
    const kept = Object.entries(kinds).filter(([name]) => !CHANGED.has(`${table}.${name}`));
    const names = sql.join(kept.map(([name]) => sql.ref(name)));
    for (const row of await reads.query(sql<Row>`select ${names} from ${sql.table(table)}`))
      now.add(text(table, Object.fromEntries(kept.map(([name, kind]) => [name, neutral(row[name], kind)]))));
  }
  return rows.map(([table, row]) => text(table, row)).filter((each) => !now.has(each));
}

describe.each(dialects)("%s", (dialect) => {
  test.each(landings().map((landing) => [landing.name, landing] as const))(
    "the rows of the landing of %s are there after today's migrations, and its actors load",
    async (_name, landing) => {
      const { url, drop } = await createEmptyDatabase(dialect);
      const folder = copyMigrations(dialect);
      const known = new Set(landing.migrations.map((each) => `${each}.ts`));
      for (const file of readdirSync(folder.path)) if (!known.has(file)) rmSync(join(folder.path, file));
      try {
        await migrateWith(url, folder.path);
        let database = await connectTestDatabase(url, entities);
        await fill(database, landing);
        await database.close();
        await migrateWith(url);
        database = await connectTestDatabase(url, entities);
        expect(await lost(database, landing)).toEqual([]);
        for (const kind of KINDS) {
          const { entity, kind: name } = kind.definition;
          const rows = await database.reads.rows(entity, sql`select * from ${sql.table(entity.name)}`);
          // A kind that came later has a table, and no row of the landing.
          expect(rows.length > 0, name).toBe(entity.name in landing.columns);
          for (const { id, mstate } of rows) {
            const seen = await previewEvent(database.reads, Date.now(), kind, id, { type: "due" });
            expect(["chart_threw", "chart_too_new"], `${name} ${id} in ${mstate}`).not.toContain(seen?.cause?.code);
            expect(kind.chart.meaningOf(seen?.from ?? ""), `${name} ${id}`).not.toBe("");
          }
        }
        await database.close();
      } finally {
        folder.remove();
        await drop();
      }
    },
  );
});
