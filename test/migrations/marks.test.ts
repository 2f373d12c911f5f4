// Which migrations are additive, and which panels may run on what they leave.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Migration } from "@mikro-orm/migrations";
import { describe, expect, test } from "vitest";
import { isAdditive } from "../../scripts/additive.ts";
import { migrationsFolder } from "../../src/db/orm.ts";
import { MARKED_SINCE, oldestPanels, standingOf } from "../../src/db/schema-level.ts";
import type { Dialect } from "../../src/db/table.ts";

/** The migrations that say of themselves whether they are additive. */
async function marked(dialect: Dialect) {
  const folder = migrationsFolder(dialect);
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .filter((name) => name >= MARKED_SINCE);
  return Promise.all(
    names.map(async (name) => {
      const exported: Record<string, new (driver: unknown, config: unknown) => Migration> = await import(
        pathToFileURL(join(folder, `${name}.ts`)).href
      );
      const [Made] = Object.values(exported);
      if (!Made) throw new Error(`${name} exports nothing`);
      const migration = new Made(undefined, undefined);
      await migration.up();
      return {
        name,
        additive: Reflect.get(Made, "additive") as unknown,
        statements: migration.getQueries().map(String),
      };
    }),
  );
}

describe.each(["sqlite", "postgresql"] as const)("%s", (dialect) => {
  test("every migration says whether it is additive, and is it where it says so", async () => {
    const all = await marked(dialect);
    expect(all[0]?.name).toBe(MARKED_SINCE);
    for (const { name, additive, statements } of all) {
      expect(additive, `${name} needs its mark: static readonly additive = …`).toBeTypeOf("boolean");
      if (additive === true) expect(isAdditive(statements), `${name} is not additive`).toBe(true);
    }
  });
});

test("both dialects of a migration have one mark", async () => {
  const marks = async (dialect: Dialect) => (await marked(dialect)).map(({ name, additive }) => ({ name, additive }));
  expect(await marks("sqlite")).toEqual(await marks("postgresql"));
});

test.each([
  ["create table `notes` (`id` integer not null primary key, `text` text not null);"],
  ['create table "notes" ("id" bigint not null, primary key ("id")) with (fillfactor = 70);'],
  ["create index `notes_text_index` on `notes` (`text`);"],
  ["alter table `users` add column `seen` bigint not null default '0';"],
  ["alter table `users` add column `reach` json null;"],
  [`alter table "users" add "seen" bigint not null default 0, add "reach" jsonb null;`],
  [`insert into "settings" ("id") values ('a')`],
  [`insert into "settings" ("id", "value") values ('a', 'b; -- c'), ('d', '')`],
  [`create index "events_waiting" on "events" ("id") where position is null;`],
  [""],
])("additive: %s", (statement) => {
  expect(isAdditive([statement])).toBe(true);
});

test("a unique index or constraint is additive on a table of the same migration alone", () => {
  const made = 'create table "notes" ("id" bigint not null, "text" text not null, primary key ("id"));';
  const unique = (table: string) => `alter table "${table}" add constraint "u" unique ("text");`;
  expect([unique("notes"), unique("users")].map((each) => isAdditive([made, each]))).toEqual([true, false]);
  // Made is what the statement says, not a word in it.
  expect(isAdditive([made, 'create unique index "u" on "notes"."users" ("name");'])).toBe(false);
  const index = "create unique index `notes_text_unique` on `notes` (`text`);";
  expect(isAdditive([index])).toBe(false);
  expect(isAdditive(["create table `notes` (`id` integer not null primary key, `text` text not null);", index])).toBe(
    true,
  );
});

test("a rebuild of a table under its name is additive, as a whole and with the same columns alone", () => {
  const rebuild = (columns: string, from: string, name: string) => [
    "create table `notes_narrow` (`id` text not null primary key, `text` text not null) without rowid;",
    `insert into \`notes_narrow\` (${columns}) select \`id\`, \`text\` from \`${from}\` order by \`id\`;`,
    `drop table \`${from}\`;`,
    `alter table \`notes_narrow\` rename to \`${name}\`;`,
  ];
  const whole = rebuild("`id`, `text`", "notes", "notes");
  const index = "create index `notes_text_index` on `notes` (`text`);";
  expect(isAdditive([...whole, index])).toBe(true);
  expect(isAdditive([...whole, "drop table `users`"])).toBe(false);
  for (const at of whole.keys()) expect(isAdditive(whole.toSpliced(at, 1)), `without ${whole[at]}`).toBe(false);
  expect(isAdditive(rebuild("`text`, `id`", "notes", "notes"))).toBe(false);
  expect(isAdditive(rebuild("`id`, `text`", "notes", "users"))).toBe(false);
});

test.each([
  ["alter table `users` add column `seen` bigint not null;"],
  [`alter table "users" add "seen" bigint not null default 0, alter column "volume" type numeric;`],
  [`alter table "users" add constraint "users_name_unique" unique ("name");`],
  ["alter table `users` add column `code` text null unique;"],
  ["alter table `users` rename column `a` to `b`;"],
  ["create table `notes` (`id` integer primary key, `user_id` bigint references `users` (`id`));"],
  ["create trigger t after insert on users begin select 1; end;"],
  [`create or replace function f () returns int language sql as $$ select 1 $$`],
  ["update users set term = 0"],
  ["drop index `a`"],
  // More than one statement in a text, and changes that commas part otherwise.
  [`create table "n" ("id" int); drop table "users"`],
  [`create index "i" on "users" ("name"); alter table "users" drop column "name";`],
  [`alter table "users" add column "x" text null,\n  drop column "name";`],
  [`alter table "users" add column "x" text null,drop column "name";`],
  [`alter table "users" add column "x" text null, DROP COLUMN "name";`],
  [`alter table "users" add column "x" text null, set schema other;`],
  [`alter table "users" add column "x" text not null -- default`],
  // Words that are a column's name, and values that an older panel's rows do not get.
  [`alter table "users" add column "default" int not null;`],
  [`alter table "users" add column "x" int not null default null;`],
  [`alter table "users" add column "x" int not null default nextval('s');`],
  ["alter table `users` add column `x` integer null as (`volume` / 0);"],
  // Copies lack what older panels write later, and what conflicts is overwritten.
  [`insert into "notes" ("id") select "id" from "users"`],
  [`insert into "users" ("id", "name") values (1, 'a') on conflict ("id") do update set name = 'a'`],
  [`create table "notes" as select * from "users"`],
  [`create table "notes" ("id") as select ("id") from "users" where ("id" > 0)`],
  [`create table "notes" ("id" int, foreign key ("id") REFERENCES "users" ("id"))`],
  // An expression that fails on a row of an older panel refuses the row.
  [`create index "i" on "users" (((config->>'x')::int))`],
])("not additive: %s", (statement) => {
  expect(isAdditive([statement])).toBe(false);
});

describe("who may run", () => {
  const panel = (...names: string[]) => new Set(names);
  const old = [{ name: "a" }, { name: "b", oldest: null }];

  test("an additive migration leaves the oldest panel as it was, any other names itself", () => {
    const run = [
      { name: "c", additive: true },
      { name: "d", additive: false },
      { name: "e", additive: true },
    ];
    expect(oldestPanels(old, run)).toEqual([
      { name: "c", oldest: "b" },
      { name: "d", oldest: "d" },
      { name: "e", oldest: "d" },
    ]);
    expect(oldestPanels([], [{ name: "a", additive: true }])).toEqual([{ name: "a", oldest: "a" }]);
  });

  test("an older panel runs as long as it has what newer migrations name, in whatever order they came", () => {
    const additive = [...old, { name: "c", oldest: "b" }];
    expect(standingOf(additive, panel("a", "b"))).toEqual({ pending: [], newer: "c" });
    expect(() => standingOf(additive, panel("a"))).toThrow(/takes panels from b on, this one is at a/);
    // It was named before "b" and landed after it: having something newer by name is not having it.
    const late = [...old, { name: "aa", oldest: "aa" }];
    expect(() => standingOf(late, panel("a", "b"))).toThrow(/takes panels from aa on, this one is at b/);
    expect(standingOf(old, panel("a", "b", "c"))).toEqual({ pending: ["c"], newer: undefined });
  });
});
