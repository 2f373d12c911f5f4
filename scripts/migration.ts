// `npm run migration -- NAME`: writes what the entities changed since the last migration as one new migration for each
// dialect, under the same name, and marks whether older panels may run on its schema (`additive.ts`). Offline: the
// entities are compared with each dialect's snapshot, never with a database.
// `--reset NAME` replaces all migrations by one from empty; only right while no version that wrote a database has been
// released.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TSMigrationGenerator } from "@mikro-orm/migrations";
import { createOrm, migrationsFolder, roomForUpdates, rowIdKeys, type Location } from "../src/db/orm.ts";
import { entities } from "../src/panel/entities.ts";
import { isAdditive } from "./additive.ts";

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

interface Written {
  readonly file: string;
  readonly statements: readonly string[];
}

/** Resolves to what was written, or undefined when nothing changed. */
async function write(location: Location, fileName: string, reset: boolean): Promise<Written | undefined> {
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
    const { fileName: written, diff } = await orm.migrator.create();
    return written === "" ? undefined : { file: join(folder, written), statements: diff.up };
  } finally {
    await orm.close(true);
  }
}

/** Writes into a migration whether it is additive. */
function mark(file: string, additive: boolean): void {
  const text = readFileSync(file, "utf8");
  const marked = text.replace(/^( +override up\b)/m, `  static readonly additive = ${additive};\n\n$1`);
  if (marked === text) throw new Error(`${file} has no place for its mark`);
  writeFileSync(file, marked);
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
const written: Written[] = [];
for (const location of LOCATIONS) {
  const one = await write(location, fileName, values.reset);
  if (one) written.push(one);
  console.log(`${location.dialect}: ${one?.file ?? "nothing changed"}`);
}
// A pair has one mark: a database may be either.
const additive = written.every(({ statements }) => isAdditive(statements));
for (const { file } of written) mark(file, additive);
if (written.length > 0)
  console.log(additive ? "additive: older panels may run on it" : "not additive: panels before it may not run on it");
