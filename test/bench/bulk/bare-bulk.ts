// The floor under a bulk operation: the same rows read, changed and written by the driver alone, five hundred accounts
// in each transaction, with no rule looked at and nothing kept for taking it back.
import Sqlite from "better-sqlite3";
import pg from "pg";
import type { Dialect } from "../../../src/db/index.ts";

const BATCH = 500;

type Row = Readonly<Record<string, unknown>>;

/** What is written of each account. `entry`: beside it one of the journal, as the chart's step does. */
export interface BareChange {
  readonly of: (row: Row, turn: number) => Row;
  readonly entry: boolean;
}

export const SWITCHED: BareChange = {
  entry: true,
  of: ({ rev, updated_at }, turn) => ({
    enable: turn % 2,
    disabled_reason: turn % 2 === 0 ? "manual" : "",
    mstate: turn % 2 === 0 ? "disabled.manual" : "enabled",
    rev: Number(rev) + 1,
    msince: Date.now(),
    updated_at: Number(updated_at) + 1,
  }),
};
export const NOTED: BareChange = {
  entry: false,
  of: ({ updated_at }, turn) => ({ remark: `note ${turn}`, updated_at: Number(updated_at) + 1 }),
};

/** Far from the ids that the panel reserves. */
let nextId = 2 ** 40;

/** Accounts per second. */
export async function bareBulk(dialect: Dialect, url: string, change: BareChange, turn: number): Promise<number> {
  return dialect === "sqlite" ? bareSqlite(url.slice("sqlite:".length), change, turn) : barePostgres(url, change, turn);
}

const entryOf = (like: Row, { id, rev }: Row): Row => ({ ...like, id: nextId++, actor_id: id, seq: Number(rev) + 1 });

function bareSqlite(file: string, { of, entry }: BareChange, turn: number): number {
  const database = new Sqlite(file);
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"]) database.pragma(pragma);
  const like = database.prepare("select * from journal where kind = 'user' limit 1").get() as Row;
  const select = database.prepare(`select * from users where id > ? order by id limit ${BATCH}`);
  const names = Object.keys(like);
  const journal = database.prepare(
    `insert into journal (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
  );
  let update: Sqlite.Statement | undefined;
  const began = performance.now();
  let done = 0;
  for (let after = 0; ;) {
    const rows = select.all(after) as Row[];
    if (rows.length === 0) break;
    database.exec("begin immediate");
    for (const row of rows) {
      const patch = of(row, turn);
      update ??= database.prepare(
        `update users set ${Object.keys(patch)
          .map((name) => `${name} = ?`)
          .join(", ")} where id = ?`,
      );
      update.run(...Object.values(patch), row["id"]);
      if (entry) journal.run(...Object.values(entryOf(like, row)));
    }
    database.exec("commit");
    done += rows.length;
    after = Number(rows.at(-1)?.["id"]);
  }
  const rate = (done * 1000) / (performance.now() - began);
  database.close();
  return rate;
}

async function barePostgres(url: string, { of, entry }: BareChange, turn: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const [like = {}] = (await client.query<Row>("select * from journal where kind = 'user' limit 1")).rows;
  const names = Object.keys(like);
  const journal = `insert into journal (${names.join(", ")}) select ${names
    .map((name) => `x.${name}`)
    .join(", ")} from json_populate_recordset(null::journal, $1::json) x`;
  const began = performance.now();
  let done = 0;
  for (let after = 0; ;) {
    await client.query("begin");
    const select = `select * from users where id > $1 order by id limit ${BATCH} for update`;
    const { rows } = await client.query<Row>(select, [after]);
    if (rows.length === 0) break;
    const patches = rows.map((row) => ({ ...of(row, turn), id: row["id"] }));
    const sets = Object.keys(patches[0] ?? {}).filter((name) => name !== "id");
    const source = "json_populate_recordset(null::users, $1::json) x";
    await client.query(
      `update users t set ${sets.map((name) => `${name} = x.${name}`).join(", ")} from ${source} where t.id = x.id`,
      [JSON.stringify(patches)],
    );
    if (entry) await client.query(journal, [JSON.stringify(rows.map((row) => entryOf(like, row)))]);
    await client.query("commit");
    done += rows.length;
    after = Number(rows.at(-1)?.["id"]);
  }
  await client.query("rollback");
  const rate = (done * 1000) / (performance.now() - began);
  await client.end();
  return rate;
}
