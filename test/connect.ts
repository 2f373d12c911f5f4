// A test's side of a database that is there already. Programs that tests start have it from here: they say nothing of
// which databases a run can test (`database.ts`).
import { randomUUID } from "node:crypto";
import { Committer } from "../src/db/commit.ts";
import type { Database } from "../src/db/database.ts";
import type { Draft } from "../src/db/draft.ts";
import type { Echo } from "../src/db/note.ts";
import { createOrm, parseDatabaseUrl, tablesOf, type AnyEntity } from "../src/db/orm.ts";
import { PostgresStore } from "../src/db/postgresql/store.ts";
import { Reader } from "../src/db/read.ts";
import { SqliteStore } from "../src/db/sqlite/store.ts";

/** Opens a database that `openTestDatabase` made before: how a test restarts the panel's side. */
export async function connectTestDatabase(
  url: string,
  entities: readonly AnyEntity[],
  now: () => number = Date.now,
  echo?: Echo,
  consequences?: (draft: Draft) => void,
): Promise<Database> {
  const location = parseDatabaseUrl(url);
  const orm = await createOrm(location, entities);
  const tables = tablesOf(orm, entities, location.dialect);
  const boot = randomUUID();
  const store =
    location.dialect === "sqlite"
      ? new SqliteStore(location.target, tables)
      : new PostgresStore(location.target, tables, boot);
  const commits = new Committer(store, tables, {
    now,
    ...(echo && { echo }),
    ...(consequences && { consequences }),
    onListenerError: (error) => {
      throw error;
    },
  });
  return {
    dialect: location.dialect,
    tables,
    store,
    commits,
    reads: new Reader(store, tables),
    boot,
    schema: { applied: [], newer: undefined },
    close: async () => {
      await commits.drain();
      await store.close();
    },
  };
}
