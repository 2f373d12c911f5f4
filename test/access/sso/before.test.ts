// Providers from before each had a callback of its own: they keep the one that is registered at them, and so does what
// was made of them; a new one has its own.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase, createEmptyDatabase, dialects } from "../../database.ts";
import { copyMigrations, migrateWith } from "../../migrations/fixture.ts";

// rule access.sso.14
test.each(dialects)("a provider that an earlier version made keeps the shared callback on %s", async (dialect) => {
  const { url, drop } = await createEmptyDatabase(dialect);
  const folder = copyMigrations(dialect);
  const files = readdirSync(folder.path)
    .filter((name) => /^Migration\d+_/.test(name))
    .toSorted();
  const first = files.findIndex((name) => name.endsWith("_provider_callbacks.ts"));
  expect(first).toBeGreaterThan(0);
  for (const later of files.slice(first)) rmSync(join(folder.path, later));
  await migrateWith(url, folder.path);
  const query = async <R extends object>(text: string): Promise<R[]> => {
    const database = await connectTestDatabase(url, entities);
    const statement = database.reads.statement("oidc_providers", sql.raw(text));
    const rows = text.startsWith("select")
      ? await database.reads.query<R>(sql.raw(text))
      : await database.commits.execute({ name: "before", statements: [statement] }).then(() => []);
    await database.close();
    return rows;
  };
  const texts = "name, kind, issuer, client_id, client_secret, scopes, authorization_url, token_url, user_url, icon";
  const values = "'Old', 'oidc', 'https://id.example', 'panel', '', 'openid', '', '', '', ''";
  const insert = (id: number) =>
    query(
      `insert into oidc_providers (id, ${texts}, subject_field, enabled, sort_order, reach, linkings, created_at, updated_at) values (${id}, ${values}, '', true, 0, null, 0, 1, 1)`,
    );
  await insert(1);
  await migrateWith(url);
  await insert(2);
  const rows = await query<{ id: unknown; shared_callback: unknown }>(
    "select id, shared_callback from oidc_providers order by id",
  );
  expect(rows.map((row) => [Number(row.id), Boolean(row.shared_callback)])).toEqual([
    [1, true],
    [2, false],
  ]);
  folder.remove();
  await drop();
});
