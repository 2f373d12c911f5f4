// A later version's migrations on a database that has a row in every table: nothing is lost, foreign keys hold, and
// what would break them is refused whole.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UserRows } from "../../src/accounts/index.ts";
import { lock, sql } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, createEmptyDatabase, dialects } from "../database.ts";
import { addSomeRow, copyMigrations, migrateWith, type MigrationsFolder } from "./fixture.ts";

type Rows = Record<string, unknown>;

/** One row in every table, through the codec that the panel writes with. */
async function populate(url: string): Promise<void> {
  const database = await connectTestDatabase(url, entities);
  await addSomeRow(url, database, entities);
  await database.close();
}

/** All rows of all tables of the entities, as the driver returns them. */
async function contents(url: string): Promise<Rows> {
  const database = await connectTestDatabase(url, entities);
  const all: Rows = {};
  for (const { name } of entities) all[name] = await database.reads.query(sql`select * from ${sql.table(name)}`);
  await database.close();
  return all;
}

async function query(url: string, text: string): Promise<Rows[]> {
  const database = await connectTestDatabase(url, entities);
  const rows = await database.reads.query<Rows>(sql.raw(text));
  await database.close();
  return rows;
}

async function change(url: string, text: string): Promise<void> {
  const database = await connectTestDatabase(url, entities);
  await database.commits.execute({ name: "change", statements: [database.reads.statement("change", sql.raw(text))] });
  await database.close();
}

/** SQLite's way to alter a column: a new table under the old name, with its indexes. */
async function rebuildOf(url: string, table: string): Promise<string[]> {
  const made = await query(url, `select type, sql from sqlite_master where tbl_name = '${table}' and sql is not null`);
  const text = (type: string) => made.filter((each) => each["type"] === type).map((each) => String(each["sql"]));
  const [create = ""] = text("table");
  return [
    create.replace(table, `${table}_rebuilt`),
    `insert into ${table}_rebuilt select * from ${table}`,
    `drop table ${table}`,
    `alter table ${table}_rebuilt rename to ${table}`,
    ...text("index"),
  ];
}

describe.each(dialects)("%s", (dialect) => {
  let url: string;
  let drop: () => Promise<void>;
  let folder: MigrationsFolder;

  beforeEach(async () => {
    ({ url, drop } = await createEmptyDatabase(dialect));
    folder = copyMigrations(dialect);
    await migrateWith(url, folder.path);
    await populate(url);
    folder.add("rows_of_this_test", [
      "create table test_notes (id bigint primary key, user_id bigint not null references users (id) on delete cascade)",
      "insert into test_notes (id, user_id) select 1, id from users",
    ]);
    expect(await migrateWith(url, folder.path)).toHaveLength(1);
  });
  afterEach(async () => {
    folder.remove();
    await drop();
  });

  // rule process.start.4
  test("a table with children is altered: every row of every table is as before, and the children with it", async () => {
    const before = await contents(url);
    for (const { name } of entities) expect(before[name], name).toHaveLength(1);
    folder.add(
      "altered",
      dialect === "sqlite"
        ? await rebuildOf(url, "users")
        : ["alter table users alter column volume type numeric using volume::numeric"],
    );
    expect(await migrateWith(url, folder.path)).toHaveLength(1);
    const after = await contents(url);
    expect(after["users"]).toHaveLength(1);
    if (dialect === "sqlite") expect(after).toEqual(before);
    else expect({ ...after, users: [] }).toEqual({ ...before, users: [] });
    expect(await query(url, "select id, user_id from test_notes")).toHaveLength(1);
  });

  test("terms of accounts that wait for their first use are the length of their renewals", async () => {
    const filled = "Migration20261123041500_renewal_terms";
    folder.add("before", [
      "update users set term = 0, duration = 60",
      `delete from schema_migrations where name = '${filled}'`,
    ]);
    await migrateWith(url, folder.path);
    expect(await migrateWith(url, folder.path)).toEqual([filled]);
    expect(await query(url, "select term from users")).toEqual([
      { term: expect.toSatisfy((term: unknown) => Number(term) === 60) },
    ]);
  });

  // rule users.renew.7
  test("terms that were what was left until a date are forgotten, those that were sold stay", async () => {
    const filled = "Migration20261128032500_sold_terms";
    const DAY = 86_400;
    // Its duration and its term; the term that stays.
    const accounts: readonly (readonly [number, number, number])[] = [
      [0, 259_176, 0],
      [0, 3 * DAY, 0],
      [0, 30 * DAY, 30 * DAY],
      [7 * DAY, 7 * DAY, 7 * DAY],
      [60, 3 * DAY, 3 * DAY],
    ];
    const json = (value: unknown) => `'${JSON.stringify(value)}'`;
    for (const [duration, term, left] of accounts) {
      const kept = [
        { id: 7, version: 1, fields: { term, expiry: 5 } },
        { id: 8, version: 2, fields: { remark: "" } },
      ];
      const account = { row: { name: "gone", term, duration }, usage: {}, devices: [], refused: [] };
      folder.add("before", [
        "update plans set days = 30",
        `update users set term = ${term}, duration = ${duration}`,
        `update deleted_users set account = ${json(account)}`,
        `update job_parts set sort = 'before', content = ${json(kept)}`,
        `delete from schema_migrations where name = '${filled}'`,
      ]);
      await migrateWith(url, folder.path);
      await migrateWith(url, folder.path);
      const [user] = await query(url, "select term from users");
      expect(Number(user?.["term"]), String(term)).toBe(left);
      const database = await connectTestDatabase(url, entities);
      const deleted = await database.reads.query<{ account: unknown }>(sql`select account from deleted_users`);
      const parts = await database.reads.query<{ content: unknown }>(sql`select content from job_parts`);
      await database.close();
      const read = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : value);
      expect(read(deleted[0]?.account)).toMatchObject({ row: { name: "gone", term: left, duration } });
      expect(read(parts[0]?.content)).toEqual([
        { id: 7, version: 1, fields: { expiry: 5 } },
        { id: 8, version: 2, fields: { remark: "" } },
      ]);
    }
  });

  test("a migration that leaves dangling references is refused, and nothing of it stays", async () => {
    const before = await contents(url);
    const breaking =
      dialect === "sqlite" ? "delete from users" : "insert into test_notes (id, user_id) values (2, 999)";
    folder.add("harmless_in_this_test", ["create table test_more (id bigint primary key)"]);
    folder.add("breaking_in_this_test", [breaking]);
    await expect(migrateWith(url, folder.path)).rejects.toThrow(/dangling references|foreign key/);
    expect(await contents(url)).toEqual(before);
    await expect(query(url, "select * from test_more")).rejects.toThrow(/test_more/);
    expect(await query(url, "select name from schema_migrations where name like '%_rows_of_this_test'")).toHaveLength(
      1,
    );
    expect(await query(url, "select name from schema_migrations where name like '%_in_this_test'")).toHaveLength(0);
  });

  test("a database that a newer version migrated is refused with a sentence, untouched", async () => {
    const before = await contents(url);
    await expect(migrateWith(url)).rejects.toThrow(
      /written by a newer version of Signalbox \(its schema is at Migration\w+_rows_of_this_test and takes panels from Migration\w+_rows_of_this_test on, this one is at Migration\d+_\w+\); start that version/,
    );
    expect(await contents(url)).toEqual(before);
  });

  // rule process.start.5
  test("a panel that is older than what newer ones only added runs on it, until one changes what it knows", async () => {
    const newer = copyMigrations(dialect, folder.path);
    const asOlder = () => migrateWith(url, folder.path);
    try {
      newer.add("more", ["create table test_more (id bigint primary key)"], true);
      newer.add(
        "column",
        [`alter table users add ${dialect === "sqlite" ? "column " : ""}test_later text not null default 'later'`],
        true,
      );
      expect(await migrateWith(url, newer.path)).toHaveLength(2);
      const before = await contents(url);
      expect(await asOlder()).toEqual([]);
      await change(url, "update users set test_later = 'kept'");
      // What this version's codec writes, of the row that it knows and of one more.
      const database = await connectTestDatabase(url, entities);
      await database.commits.submit({
        name: "older",
        locks: [lock(UserRows, 7)],
        decide: (draft) => {
          const row = draft.find(UserRows, 7);
          if (!row) throw new Error("there is no user");
          draft.update(UserRows, 7, { remark: "changed" });
          draft.insert(UserRows, { ...row, id: 8, name: "eight", subToken: "eight", subId: "eight", externalId: null });
        },
      });
      await database.close();
      expect(await query(url, "select test_later from users order by id")).toEqual([
        { test_later: "kept" },
        { test_later: "later" },
      ]);
      await change(url, "delete from users where id = 8");
      expect({ ...(await contents(url)), users: [] }).toEqual({ ...before, users: [] });
      expect(await query(url, "select name from schema_migrations where name like '%_more'")).toHaveLength(1);

      const breaking = newer.add("breaking", ["drop table test_more"], false);
      const last = newer.add("last", ["create table test_last (id bigint primary key)"], true);
      expect(await migrateWith(url, newer.path)).toHaveLength(2);
      await expect(asOlder()).rejects.toThrow(`its schema is at ${last} and takes panels from ${breaking} on`);
    } finally {
      newer.remove();
    }
  });

  test("of two lines of versions, neither migrates the other's database", async () => {
    const other = copyMigrations(dialect, folder.path);
    try {
      other.add("other", ["create table test_other (id bigint primary key)"], true);
      await migrateWith(url, other.path);
      const own = folder.add("own_line", ["create table test_own (id bigint primary key)"], true);
      await expect(migrateWith(url, folder.path)).rejects.toThrow(`lacks ${own}`);
      await expect(query(url, "select * from test_own")).rejects.toThrow(/test_own/);
    } finally {
      other.remove();
    }
  });
});
