// `signalbox migrate`: brings an existing database to this version's schema, without starting a panel.
import { existsSync } from "node:fs";
import { openDatabase, type Database } from "../db/index.ts";
import { entities } from "../panel/entities.ts";
import { readEnvironment } from "../panel/environment.ts";
import { EXIT } from "./shared.ts";

export const MIGRATE_HELP = `signalbox migrate

Applies the migrations that an existing database lacks. Starting a panel does the same. A version that is older than
the schema applies nothing.
`;

export async function migrate(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) {
    process.stderr.write(MIGRATE_HELP);
    return EXIT.usage;
  }
  const { databaseUrl: url } = readEnvironment(process.env);
  const file = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
  if (file !== undefined && !existsSync(file)) throw new Error(`there is no database ${file}`);
  const database = await openDatabase({
    url,
    entities,
    now: Date.now,
    onListenerError: (error) => {
      throw error;
    },
  });
  await database.close();
  process.stdout.write(`${outcomeOf(database.schema)}\n`);
  return EXIT.done;
}

function outcomeOf({ applied, newer }: Database["schema"]): string {
  if (newer !== undefined)
    return `the schema is newer than this version, which may run on it (it is at ${newer}); nothing was applied`;
  return applied.length === 0 ? "the schema is current" : `applied ${applied.join(", ")}`;
}
