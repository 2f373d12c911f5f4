// Folders of migrations for tests: the panel's own, and later ones that only the test has.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EntityMetadata } from "@mikro-orm/core";
import type { Database } from "../../src/db/index.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createOrm, migrationsFolder, parseDatabaseUrl, type AnyEntity } from "../../src/db/orm.ts";
import type { Dialect } from "../../src/db/table.ts";
import { entities } from "../../src/panel/entities.ts";

export interface MigrationsFolder {
  readonly path: string;
  /** Adds a migration after all others; `additive`: its mark, none where nothing is said. */
  add(name: string, statements: readonly string[], additive?: boolean): string;
  remove(): void;
}

/** A copy of a dialect's migrations, or of those in a folder, that a test may add to. */
export function copyMigrations(dialect: Dialect, from = migrationsFolder(dialect)): MigrationsFolder {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-migrations-"));
  const path = join(folder, dialect);
  mkdirSync(path);
  cpSync(from, path, { recursive: true });
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  let added = readdirSync(path).filter((file) => file.startsWith("Migration2999")).length;
  return {
    path,
    add: (name, statements, additive) => {
      const className = `Migration299901010000${String(added++).padStart(2, "0")}_${name}`;
      const body = statements.map((statement) => `    this.addSql(${JSON.stringify(statement)});`).join("\n");
      const mark = additive === undefined ? "" : `  static readonly additive = ${additive};\n`;
      const text = `import { Migration } from "@mikro-orm/migrations";\nexport class ${className} extends Migration {\n${mark}  override up(): void {\n${body}\n  }\n}\n`;
      writeFileSync(join(path, `${className}.ts`), text);
      return className;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A value of a column's type, other than its default. */
function valueOf({ runtimeType, type }: EntityMetadata["props"][number]): unknown {
  if (runtimeType === "number") return 7;
  if (runtimeType === "boolean") return true;
  if (runtimeType === "string") return "seven";
  if (type === "JsonType" || runtimeType === "object" || runtimeType === "any") return { seven: [7] };
  if (runtimeType === "Buffer") return Buffer.from([7]);
  throw new Error(`no value for a column of type ${runtimeType}`);
}

/** A row in each of these tables. */
export async function addSomeRow(url: string, { commits }: Database, tables: readonly AnyEntity[]): Promise<void> {
  const orm = await createOrm(parseDatabaseUrl(url), entities);
  const metadata = orm.getMetadata();
  await orm.close(true);
  await commits.submit({
    name: "populate",
    locks: [],
    decide: (draft) => {
      for (const entity of tables) {
        const { props } = metadata.get<object>(entity.schema);
        draft.upsert(entity, Object.fromEntries(props.map((prop) => [prop.name, valueOf(prop)])));
      }
    },
  });
}

/** Migrates a database with the migrations of a folder; resolves to the names applied. */
export async function migrateWith(url: string, path?: string): Promise<string[]> {
  const location = parseDatabaseUrl(url);
  const orm = await createOrm(location, entities, path === undefined ? {} : { path });
  try {
    return [...(await migrate(orm, location)).applied];
  } finally {
    await orm.close(true);
  }
}
