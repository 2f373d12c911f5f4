// A usage batch of ten thousand users among a million: one set-based change that counts and marks whoever reached their cap.
// Run: node bin/node24.mjs test/bench/usage.ts
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sql } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { median, printTable } from "./table.ts";

const Usage = entity(
  defineEntity({
    name: "Usage",
    tableName: "user_usage",
    properties: {
      userId: p.bigint("number").primary().autoincrement(false),
      up: p.bigint("number"),
      down: p.bigint("number"),
      cap: p.bigint("number"),
      onlineAt: p.bigint("number"),
      dueAt: p.bigint("number").nullable(),
    },
    indexes: [{ properties: ["dueAt"] }],
  }),
);
const USERS = 1_000_000;
const BATCH = 10_000;
const RUNS = 7;

interface Used {
  readonly id: number;
  readonly up: number;
  readonly down: number;
}

/** The change that is measured; replace it to measure another. `used` is in the order of ids, as locks are taken. */
async function count(db: TestDatabase, used: readonly Used[], now: number): Promise<void> {
  const json = JSON.stringify(used);
  const reached = sql`case when u.up + u.down + x.up + x.down >= u.cap then ${now} else u.due_at end`;
  const set = sql`set up = u.up + x.up, down = u.down + x.down, online_at = ${now}, due_at = ${reached}`;
  const sqlite = sql`update user_usage as u ${set} from (select value ->> 'id' as id, value ->> 'up' as up, value ->> 'down' as down from json_each(${json})) x where u.user_id = x.id`;
  const locked = sql`select user_id from user_usage where user_id in (select id from json_to_recordset(${json}::json) as x (id bigint)) order by user_id for update`;
  const postgres = sql`update user_usage u ${set} from json_to_recordset(${json}::json) as x (id bigint, up bigint, down bigint) where u.user_id = x.id`;
  const statements =
    db.dialect === "sqlite"
      ? [db.reads.statement("count", sqlite, used.length)]
      : [db.reads.statement("lock", locked, used.length), db.reads.statement("count", postgres, used.length)];
  await db.commits.execute({ name: "usage", statements });
}

const rows: (string | number)[][] = [];
for (const dialect of dialects) {
  const db = await openTestDatabase(dialect, [Usage]);
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${USERS})`;
  const columns = "user_id, up, down, cap, online_at, due_at";
  const values = "select n, 0, 0, 50000000 + n % 1000, 0, null from numbers";
  const text =
    dialect === "sqlite"
      ? `insert into user_usage (${columns}) ${numbers} ${values}`
      : `${numbers} insert into user_usage (${columns}) ${values}`;
  await db.commits.execute({ name: "seed", statements: [{ label: "seed", text, values: [], rows: USERS }] });
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const ids = new Set<number>();
    while (ids.size < BATCH) ids.add(1 + Math.floor(Math.random() * USERS));
    const used = [...ids].toSorted((a, b) => a - b).map((id) => ({ id, up: 1000 + (id % 7), down: 40_000 + (id % 11) }));
    const began = performance.now();
    await count(db, used, Date.now());
    times.push(performance.now() - began);
  }
  const ms = median(times);
  rows.push([dialect, ms, Math.max(...times), (BATCH * 1000) / ms]);
  await db.dispose();
}
printTable(
  `A usage batch of ${BATCH.toLocaleString("en")} of ${USERS.toLocaleString("en")} users, medians of ${RUNS}`,
  ["database", "median ms", "longest ms", "users/s"],
  rows,
);
