// The exchange of a PostgreSQL database: tables of another schema in place of those in use, in one transaction.
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exchangeStatements, RESTORED_SCHEMA } from "../../../src/backups/restore/exchange.ts";
import { newestMigration } from "../../../src/db/index.ts";
import { buildDatabase } from "../../../src/db/snapshot/build.ts";
import { createMigratedDatabase, dialects } from "../../database.ts";

const FRESH = `${RESTORED_SCHEMA}test`;

describe.each(dialects.filter((dialect) => dialect === "postgresql"))("an exchange on %s", (dialect) => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let clients: pg.Client[];
  let client: pg.Client;
  const connected = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({ connectionString: database.url });
    await fresh.connect();
    clients.push(fresh);
    return fresh;
  };
  const values = async (text: string) => (await client.query<{ value: unknown }>(text)).rows.map(({ value }) => value);
  const said = () => values("select value from settings where id = 'said'");

  beforeEach(async () => {
    clients = [];
    database = await createMigratedDatabase(dialect);
    client = await connected();
    const setting = (value: string) => `('said', '${value}', 1, 1)`;
    await client.query(`insert into settings (id, value, created_at, updated_at) values ${setting("old")}`);
    await client.query(`insert into processes (id, seen_at, takes_shards) values ('here', 1, false)`);
  });
  afterEach(async () => {
    for (const each of clients) await each.end();
    await database.drop();
  });

  /** Builds another database beside the one in use, and exchanges them. `last`: a further statement. */
  const exchange = (last = "select 1"): Promise<void> =>
    buildDatabase(
      { postgresql: { url: database.url, schema: FRESH, end: [...exchangeStatements(FRESH, "public", "here"), last] } },
      {
        schema: newestMigration(dialect),
        seal: () => "",
        fill: (loader) => loader.load("settings", [{ id: "said", value: "new", created_at: 1, updated_at: 1 }]),
        finish: async () => {},
      },
    );

  // rule backups.restore.6
  it("puts what was built in place, keeps what is of processes, and tells them", async () => {
    await exchange();
    expect(await said()).toEqual(["new"]);
    expect(await values("select id as value from processes where id = 'here'")).toEqual(["here"]);
    expect(await values("select boot || ' ' || note as value from commit_log order by id desc limit 1")).toEqual([
      'here {"rows":{},"facts":{"restored":[true]}}',
    ]);
    expect(await values(`select nspname as value from pg_namespace where nspname like '${RESTORED_SCHEMA}%'`)).toEqual(
      [],
    );
    expect(
      await values("select pronamespace::regnamespace::text as value from pg_proc where proname = 'user_text_grams'"),
    ).toEqual(["public"]);
    // Rows get ids of their own, as before.
    await client.query("insert into user_texts (id, text) values (1, 'somebody')");
  });

  it("changes nothing where anything of its transaction fails", async () => {
    await expect(exchange("select 1 / 0")).rejects.toThrow(/division by zero/);
    expect(await said()).toEqual(["old"]);
    expect(await values(`select nspname as value from pg_namespace where nspname like '${RESTORED_SCHEMA}%'`)).toEqual(
      [],
    );
  });

  it("waits for commits that are under way, also for one that waits for it", async () => {
    const other = await connected();
    await other.query("begin");
    await other.query("update settings set value = 'meanwhile' where id = 'said'");
    const exchanging = exchange();
    const watcher = await connected();
    // It holds the tables before `settings` by now.
    await expect
      .poll(async () => (await watcher.query("select 1 from pg_locks where not granted")).rows.length)
      .toBeGreaterThan(0);
    await other.query("select count(*) from admins");
    await other.query("commit");
    await exchanging;
    expect(await said()).toEqual(["new"]);
  });
});
