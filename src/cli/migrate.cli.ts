// `signalbox migrate`: brings an existing database to this version's schema, without starting a panel.
import { existsSync } from "node:fs";
import { openDatabase } from "../db/index.ts";
import { entities } from "../panel/entities.ts";
import { readEnvironment } from "../panel/environment.ts";
import { EXIT } from "./shared.ts";

export const MIGRATE_HELP = `signalbox migrate

Applies the migrations that an existing database lacks. Starting a panel does the same.
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
  process.stdout.write(
    database.migrated.length === 0 ? "the schema is current\n" : `applied ${database.migrated.join(", ")}\n`,
  );
  return EXIT.done;
}
