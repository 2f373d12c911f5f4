// Actors of a small chart, as benches use them: one command is a transition, a row, a journal entry, and every tenth an
// event.
import { defineEntity, p } from "@mikro-orm/core";
import {
  entity,
  sql,
  type AnyEntity,
  type Database,
  type Dialect,
  type Reader,
  type RowOf,
} from "../../../src/db/index.ts";
import { systemOrigin } from "../../../src/lib/origin.ts";
import {
  actorColumns,
  defineActor,
  EffectRows,
  EventRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  TimerRows,
} from "../../../src/runtime/index.ts";
import { connectTestDatabase, createTestDatabase, type TestDatabase } from "../../database.ts";
import { echo } from "../../runtime/shared-shards.ts";
import { counterChart, type CounterContext } from "./chart.ts";

export const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      count: p.bigint("number"),
      enabled: p.boolean(),
      cap: p.bigint("number"),
      ...actorColumns(),
    },
  }),
);
export type CounterRow = RowOf<typeof Counters>;

export const entities: readonly AnyEntity[] = [
  Counters,
  TimerRows,
  EffectRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  EventRows,
];

export const counter = defineActor<CounterRow, CounterContext>({
  kind: "counter",
  description: "A bench's counter.",
  entity: Counters,
  machine: counterChart,
  version: 1,
  contextOf: (row) => ({ count: row.count, cap: row.cap }),
  columnsOf: ({ count }) => ({ count }),
  rememberedOf: () => ({}),
  nameOf: (row) => row.name,
  raisedBy: (emitted, row) => ({
    event: "counter.tenth",
    data: { id: row.id, name: row.name, count: emitted["count"] },
    subject: `counter:${row.id}`,
  }),
  effects: {},
  safe: [],
});

export const origin = systemOrigin("bench");

/**
 * Opens a database of counters as a panel does: on PostgreSQL its commits are noted for the other processes, whether
 * there are any or not.
 */
export function connectCounters(url: string, more: readonly AnyEntity[] = []): Promise<Database> {
  return connectTestDatabase(url, [...entities, ...more], Date.now, echo);
}

/** A closed database with `actors` counters, ids from 1, and the tables of `more`, for processes of their own. */
export async function createCounters(
  dialect: Dialect,
  actors: number,
  more: readonly AnyEntity[] = [],
): Promise<{ url: string; drop(): Promise<void> }> {
  const created = await createTestDatabase(dialect, [...entities, ...more]);
  const db = await connectCounters(created.url, more);
  await seedCounters(db, actors);
  await db.close();
  return created;
}

/** The same, opened. */
export async function openCounters(dialect: Dialect, actors: number): Promise<TestDatabase> {
  const { url, drop } = await createCounters(dialect, actors);
  const db = await connectCounters(url);
  return {
    ...db,
    url,
    dispose: async () => {
      await db.close();
      await drop();
    },
  };
}

/** Makes `actors` counters, each with a journal of its own that begins at 2. */
async function seedCounters(db: Database, actors: number): Promise<void> {
  const sqlite = db.dialect === "sqlite";
  const values = `'counter ' || n, n % 10, ${sqlite ? "1" : "true"}, 1000000000000, 1, case n % 2 when 0 then 'even' else 'odd' end, ${sqlite ? "'{}'" : "'{}'::jsonb"}, 1, 1700000000000, null, null, 0, ''`;
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${actors})`;
  const columns =
    "id, name, count, enabled, cap, rev, mstate, mctx, mver, msince, due_at, fault_at, fault_count, fault_message";
  const insert = `insert into counters (${columns})`;
  const select = `select n, ${values} from numbers`;
  await runStatement(db, sqlite ? `${insert} ${numbers} ${select}` : `${numbers} ${insert} ${select}`, actors);
  await settle(db);
}

/** Carries out one statement in a transaction of its own; `rows` is how many it must touch. */
export async function runStatement(db: Database, text: string, rows?: number): Promise<void> {
  const statement = { label: "bench", text, values: [], ...(rows === undefined ? {} : { rows }) };
  await db.commits.execute({ name: "bench", statements: [statement] });
}

/**
 * Statistics are gathered and what was written is on disk before anything is measured, so that no contestant pays for
 * the making of the database.
 */
export async function settle(db: Database): Promise<void> {
  if (db.dialect === "sqlite") return;
  await db.reads.query(sql`analyze`);
  await db.reads.query(sql`checkpoint`);
}

/**
 * Throws unless `commands` transitions are on disk, each once, the journal gapless: a bench of commands that were not
 * carried out is worse than none. `killed`: at least so many, since what a killed process was not asked any more may be
 * there too.
 */
export async function checkBooks(reads: Reader, actors: number, commands: number, killed = false): Promise<void> {
  const [sums] = await reads.query<{ actors: number; revs: number }>(
    sql`select count(*) as actors, sum(rev) as revs from counters`,
  );
  const [journal] = await reads.query<{ entries: number; broken: number }>(
    sql`select coalesce(sum(entries), 0) as entries, coalesce(sum(case when entries = last_seq - first_seq + 1 and last_seq = rev then 0 else 1 end), 0) as broken from (
      select j.actor_id, count(*) as entries, min(j.seq) as first_seq, max(j.seq) as last_seq, max(c.rev) as rev
      from journal j join counters c on c.id = j.actor_id group by j.actor_id) x`,
  );
  const found = {
    actors: sums?.actors,
    transitions: (sums?.revs ?? 0) - actors,
    entries: journal?.entries,
    broken: journal?.broken,
  };
  const least = killed ? Math.max(commands, found.transitions) : commands;
  const expected = { actors, transitions: least, entries: least, broken: 0 };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`the books are wrong: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}
