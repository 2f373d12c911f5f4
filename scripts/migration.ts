// `npm run migration -- NAME`: writes what the entities changed since the last migration as one new migration for each
// dialect, under the same name. Offline: the entities are compared with each dialect's snapshot, never with a database.
// `--reset NAME` replaces all migrations by one from empty; only right while no version that wrote a database has been
// released.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TSMigrationGenerator } from "@mikro-orm/migrations";
import { createOrm, migrationsFolder, roomForUpdates, rowIdKeys, type Location } from "../src/db/orm.ts";
import { entities } from "../src/panel/entities.ts";

/** Nothing is asked of these. */
const LOCATIONS: readonly Location[] = [
  { dialect: "sqlite", target: "unused.db" },
  { dialect: "postgresql", target: "postgresql://unused.invalid/unused" },
];

const SNAPSHOT = ".snapshot.json";
const EMPTY_SNAPSHOT = { name: "", namespaces: [], tables: [], views: [], nativeEnums: {} };

/** Migrations go forward only: no `down`. The class has the file's name, by which the database remembers it. */
function forwardGenerator(fileName: string, dialect: Location["dialect"]) {
  return class extends TSMigrationGenerator {
    override generateMigrationFile(_className: string, diff: { up: string[]; down: string[] }): string {
      return `// Written by \`npm run migration\`.\n${super.generateMigrationFile(fileName, { up: diff.up.map(dialect === "sqlite" ? rowIdKeys : roomForUpdates), down: [] })}`;
    }
  };
}

/** Resolves to the file written, or undefined when nothing changed. */
async function write(location: Location, fileName: string, reset: boolean): Promise<string | undefined> {
  const folder = migrationsFolder(location.dialect);
  mkdirSync(folder, { recursive: true });
  if (reset)
    for (const file of readdirSync(folder)) if (file.endsWith(".ts") || file === SNAPSHOT) rmSync(join(folder, file));
  if (!existsSync(join(folder, SNAPSHOT))) writeFileSync(join(folder, SNAPSHOT), JSON.stringify(EMPTY_SNAPSHOT));
  const orm = await createOrm(location, entities, {
    snapshot: true,
    generator: forwardGenerator(fileName, location.dialect),
    fileName: () => fileName,
  });
  try {
    const { fileName: written } = await orm.migrator.create();
    return written === "" ? undefined : join(folder, written);
  } finally {
    await orm.close(true);
  }
}

const { values, positionals } = parseArgs({
  options: { reset: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [name, ...more] = positionals;
if (name === undefined || more.length > 0 || !/^[a-z][a-z0-9-]*$/.test(name)) {
  console.error("usage: npm run migration -- [--reset] NAME      NAME: lower case words joined by dashes");
  process.exit(2);
}
const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
const fileName = `Migration${time}_${name.replaceAll("-", "_")}`;
for (const location of LOCATIONS) {
  const file = await write(location, fileName, values.reset);
  console.log(`${location.dialect}: ${file ?? "nothing changed"}`);
}
