// The floor under the runtime: the same rows, written by the driver alone in batches of 512, as fast as it goes.
import Sqlite from "better-sqlite3";
import pg from "pg";
import type { TestDatabase } from "../../database.ts";

const BATCH = 512;
const JOURNAL =
  "id, kind, actor_id, seq, at, event, from_state, to_state, via, actor, admin_id, effects, took, changed";
const EVENT = "id, event, time, data, admin_id, subject";
const PATCH = "count, rev, mstate, mctx, mver, msince, fault_at, fault_count, fault_message";

/** Far from the ids that the panel reserves. */
let nextId = 2 ** 40;

/** What the bare driver did. */
export interface Bare {
  /** Rows changed, each a command's worth of writing. */
  readonly done: number;
  /** Rows per second. */
  readonly rate: number;
}

/**
 * What the bare driver does in `ms` milliseconds on the database of `db`, one transaction after the other on each of
 * its sessions.
 */
export async function bareDriver(db: TestDatabase, actors: number, ms: number): Promise<Bare> {
  if (db.dialect === "postgresql") return barePostgres(db.url, actors, ms, db.store.sessions);
  return bareSqlite(db.url.slice("sqlite:".length), actors, ms);
}

interface Loaded {
  /** The bare driver gives 64-bit integers of PostgreSQL as texts. */
  readonly id: number | string;
  readonly count: number | string;
  readonly rev: number | string;
  readonly mstate: string;
}

const picked = (actors: number) =>
  [...new Set(Array.from({ length: BATCH }, () => 1 + Math.floor(Math.random() * actors)))].toSorted((a, b) => a - b);

function changed({ id: key, count, rev, mstate }: Loaded) {
  const id = Number(key);
  const now = Date.now();
  const to = mstate === "even" ? "odd" : "even";
  const row = {
    count: Number(count) + 1,
    rev: Number(rev) + 1,
    mstate: to,
    mctx: {},
    mver: 1,
    msince: now,
    fault_at: null,
    fault_count: 0,
    fault_message: "",
    id,
  };
  const entry = {
    id: nextId++,
    kind: "counter",
    actor_id: id,
    seq: row.rev,
    at: now,
    event: "count",
    from_state: mstate,
    to_state: to,
    via: "system",
    actor: "bench",
    admin_id: 0,
    effects: "",
    took: 0,
    changed: JSON.stringify({ count: [count, row.count] }),
  };
  const data = JSON.stringify({ id, name: `counter ${id}`, count: row.count });
  const event =
    row.count % 10 === 0
      ? {
          id: nextId++,
          event: "counter.tenth",
          time: Math.floor(now / 1000),
          data,
          admin_id: null,
          subject: `counter:${id}`,
        }
      : undefined;
  return { row, entry, event };
}

/** Rows per second of one thread: select, update, journal, every tenth an event. */
function bareSqlite(file: string, actors: number, ms: number): Bare {
  const database = new Sqlite(file);
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"]) database.pragma(pragma);
  const marks = (list: string) =>
    list
      .split(", ")
      .map(() => "?")
      .join(", ");
  const select = database.prepare("select * from counters where id = ?");
  const update = database.prepare(
    `update counters set ${PATCH.split(", ")
      .map((name) => `${name} = ?`)
      .join(", ")} where id = ?`,
  );
  const journal = database.prepare(`insert into journal (${JOURNAL}) values (${marks(JOURNAL)})`);
  const events = database.prepare(`insert into events (${EVENT}) values (${marks(EVENT)})`);
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < ms) {
    const changes = picked(actors).map((id) => changed(select.get(id) as Loaded));
    database.exec("begin immediate");
    for (const { row } of changes) update.run(...Object.values({ ...row, mctx: "{}" }));
    for (const { entry } of changes) journal.run(...Object.values(entry));
    for (const { event } of changes) if (event) events.run(...Object.values(event));
    database.exec("commit");
    done += changes.length;
  }
  const rate = (done * 1000) / (performance.now() - began);
  database.close();
  return { done, rate };
}

/** Rows per second over `connections`, each a transaction of two round trips after the other. */
async function barePostgres(url: string, actors: number, ms: number, connections: number): Promise<Bare> {
  const insert = (table: string, columns: string) =>
    `insert into ${table} (${columns}) select ${columns
      .split(", ")
      .map((name) => `x.${name}`)
      .join(", ")} from json_populate_recordset(null::${table}, $1::json) x`;
  const update = `update counters t set ${PATCH.split(", ")
    .map((name) => `${name} = x.${name}`)
    .join(", ")} from json_populate_recordset(null::counters, $1::json) x where t.id = x.id`;
  const began = performance.now();
  const work = async () => {
    const client = new pg.Client({ connectionString: url, pipeline: true });
    await client.connect();
    let done = 0;
    while (performance.now() - began < ms) {
      const begin = client.query("begin");
      const selected = client.query<Loaded>("select * from counters where id = any($1) order by id for update", [
        picked(actors),
      ]);
      await begin;
      const changes = (await selected).rows.map((row) => changed(row));
      await Promise.all([
        client.query(update, [JSON.stringify(changes.map(({ row }) => row))]),
        client.query(insert("journal", JOURNAL), [JSON.stringify(changes.map(({ entry }) => entry))]),
        client.query(insert("events", EVENT), [JSON.stringify(changes.flatMap(({ event }) => event ?? []))]),
        client.query("commit"),
      ]);
      done += changes.length;
    }
    await client.end();
    return done;
  };
  const counts = await Promise.all(Array.from({ length: connections }, work));
  const done = counts.reduce((sum, count) => sum + count, 0);
  return { done, rate: (done * 1000) / (performance.now() - began) };
}
