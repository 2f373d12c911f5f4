// The history of a million accounts, 200,000 of them active in a day on 10,000 nodes: what it takes on disk, and how
// long questions take. The sums are made by the code that makes them; a few days are made and come again and again.
import { sql, type Statement } from "../../../src/db/index.ts";
import { foldStatements, type Table } from "../../../src/history/fold-statements.ts";
import { merged } from "../../../src/history/packing.ts";
import { partsOf } from "../../../src/history/chunk-sums.ts";
import { chunksOf } from "../../../src/history/chunks.ts";
import { monthOf, Periods, quarterOf } from "../../../src/history/periods.ts";
import { inPeriod, kindOf } from "../../../src/history/sum-rows.ts";
import { HistoryThread } from "../../../src/history/thread.ts";
import { TrafficHistory } from "../../../src/history/traffic.queries.ts";
import { PANEL } from "../../../src/panel/features.ts";
import { openTestDatabase, type TestDatabase } from "../../database.ts";
import { runStatement, settle } from "../counters/actors.ts";
import { extent } from "../measure/extent.ts";
import { quantile, type Cell } from "../measure/table.ts";

const ACCOUNTS = extent(1_000_000, 50_000);
const NODES = extent(10_000, 500);
const RESELLERS = 500;
/** Accounts of a day, the hours of each, and how often one changes its node. */
const ACTIVE = ACCOUNTS / 5;
const HOURS_OF_A_DAY = 6;
const DAYS = 35;
/** Hours are made for so many days: what they take is told for 35. */
const HOURLY_DAYS = extent(2, 1);
const RUNS = extent(40, 5);
const DAY = 86_400;
const FIRST = Date.UTC(2026, 9, 1) / 1000;
const NOW = FIRST + DAYS * DAY;
const periods = new Periods("UTC");

const owner = (account: number) => (account * 31) % RESELLERS;

/** Chunks of an hour: who is active in it, on which node. */
function hourOf(day: number, hour: number): Uint8Array[] {
  const byNode = new Map<number, number[]>();
  const at = FIRST + day * DAY + hour * 3600;
  const users = Math.floor((ACTIVE * HOURS_OF_A_DAY) / 24);
  for (let index = 0; index < users; index++) {
    // Some are active on most days, others hardly ever.
    const account = 1 + ((Math.floor(Math.random() * ACTIVE) * 5 + (index % 4 === 0 ? day : 0)) % ACCOUNTS);
    const node = 1 + ((account * 7919 + (index % 4 === 0 ? day : 0)) % NODES);
    const rows = byNode.get(node) ?? [];
    byNode.set(node, rows);
    rows.push(account, 1 + (account % 3), traffic(2e5), traffic(4e6), at);
  }
  const batches = [...byNode].map(([nodeId, rows]) => ({ nodeId, batch: { rows: Float64Array.from(rows) } }));
  return chunksOf(batches, FIRST, NOW);
}

const traffic = (usual: number) => Math.floor(usual * Math.random() ** -0.7);

/** Adds parts of hours to those of a longer period. */
function passOn(into: Map<number, Uint8Array>, parts: Iterable<readonly [number, Uint8Array]>, period: number): void {
  for (const [row, data] of parts) {
    const id = inPeriod(row, period);
    const there = into.get(id);
    into.set(id, there ? merged(there, data) : data);
  }
}

async function store(db: TestDatabase, table: Table, rows: ReadonlyMap<number, Uint8Array>): Promise<void> {
  const changes = [...rows].map(([id, data]) => ({ id, passed: true, data }));
  const statements: Statement[] = foldStatements(db.dialect, table, changes);
  for (let from = 0; from < statements.length; from += 20)
    await db.commits.execute({ name: "bench", statements: statements.slice(from, from + 20) });
}

/** Sums by their rows' ids, as if all were of the period 0. */
type Sums = ReadonlyMap<number, Uint8Array>;

/** Days that differ; a month is made of them, over and over. */
const KINDS_OF_DAYS = extent(6, 2);

export interface Fleet {
  readonly hours: readonly Sums[];
  readonly days: readonly Sums[];
  readonly month: Sums;
  readonly chunks: readonly Uint8Array[];
}

export function makeFleet(): Fleet {
  const owners = new Map(Array.from({ length: ACCOUNTS }, (_, index) => [index + 1, owner(index + 1)]));
  const hours: Sums[] = [];
  const month = new Map<number, Uint8Array>();
  const days = Array.from({ length: KINDS_OF_DAYS }, (_, day) => {
    const sums = new Map<number, Uint8Array>();
    for (let hour = 0; hour < 24; hour++) {
      const parts = partsOf(hourOf(day, hour), owners, periods).map(({ id, data }) => [inPeriod(id, 0), data] as const);
      if (day === 0) hours.push(new Map(parts));
      passOn(sums, parts, 0);
    }
    passOn(
      month,
      [...sums].filter(([id]) => kindOf(id).monthly),
      0,
    );
    return sums;
  });
  // What was counted in the last twenty seconds.
  const chunks = hourOf(DAYS - 1, 23).slice(0, 4);
  return { hours, days, month, chunks };
}

async function fill(db: TestDatabase, { hours, days, month, chunks }: Fleet): Promise<void> {
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ACCOUNTS})`;
  const names = "id, up, down, total_up, total_down, up_rest, down_rest, online_at, last_inbound_id, moved_at, set_at";
  const [insert, select] = [`insert into user_usage (${names})`, "select n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from numbers"];
  await runStatement(db, db.dialect === "sqlite" ? `${insert} ${numbers} ${select}` : `${numbers} ${insert} ${select}`);
  const put = (table: Table, sums: Sums, period: number) =>
    store(db, table, new Map([...sums].map(([id, data]) => [inPeriod(id, period), data])));
  for (let day = 0; day < DAYS; day++) {
    await put("traffic_days", days[day % days.length] ?? new Map(), FIRST / DAY + day);
    if (day < DAYS - HOURLY_DAYS) continue;
    for (const [hour, sums] of hours.entries())
      await put("traffic_hours", sums, quarterOf(FIRST + day * DAY + hour * 3600));
  }
  for (const date of [FIRST / DAY, FIRST / DAY + DAYS - 1]) await put("traffic_months", month, monthOf(date));
  const text = `insert into traffic_chunks (data) values (${db.dialect === "sqlite" ? "?" : "$1"})`;
  await db.commits.execute({
    name: "bench",
    statements: chunks.map((data) => ({ label: "bench", text, values: [data] })),
  });
  await settle(db);
}

async function sizes(db: TestDatabase): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const [table, days, kept] of [
    ["traffic_hours", HOURLY_DAYS, 35],
    ["traffic_days", DAYS, 400],
    ["traffic_months", 2, 14],
  ] as const) {
    const [packed] = await db.reads.query<{ rows: number; bytes: number }>(
      sql`select count(*) as rows, sum(length(data)) as bytes from ${sql.table(table)}`,
    );
    const [disk] = await db.reads.query<{ bytes: number }>(
      db.dialect === "sqlite"
        ? sql`select sum(pgsize) as bytes from dbstat where name = ${table}`
        : sql`select pg_total_relation_size(${table}::regclass) as bytes`,
    );
    const each = (disk?.bytes ?? 0) / days / 2 ** 20;
    rows.push([
      db.dialect,
      table,
      packed?.rows ?? 0,
      (packed?.bytes ?? 0) / days / 2 ** 20,
      each,
      (each * kept) / 1024,
    ]);
  }
  return rows;
}

export async function measureAsking(
  dialect: "sqlite" | "postgresql",
  fleet: Fleet,
): Promise<{ sizes: Cell[][]; times: Cell[][] }> {
  const db = await openTestDatabase(dialect, PANEL.entities);
  await fill(db, fleet);
  const thread = new HistoryThread();
  const history = new TrafficHistory({
    reads: db.reads,
    thread,
    periods: () => periods,
    now: () => NOW * 1000,
    hoursKeptDays: 35,
    daysKept: () => 400,
  });
  const any = (most: number) => 1 + Math.floor(Math.random() * most);
  const month = { start: NOW - 30 * DAY, end: NOW, step: "day" } as const;
  const october = { start: FIRST, end: FIRST + 31 * DAY, step: "day" } as const;
  const questions: [string, number, number, () => Promise<unknown>][] = [
    [
      "an account's month by day and node",
      20,
      RUNS,
      () => history.traffic({ by: "node", ...month, top: 10, userId: any(ACCOUNTS / 4) }),
    ],
    [
      "a node's day by hour",
      20,
      RUNS,
      () => history.traffic({ by: "total", start: NOW - DAY, end: NOW, step: "hour", top: 1, nodeId: any(NODES) }),
    ],
    ["the fleet's month by node", 50, RUNS, () => history.traffic({ by: "node", ...month, top: 10 })],
    ["a calendar month's top twenty", 100, RUNS, () => history.traffic({ by: "user", ...october, top: 20 })],
    [
      "the same of a reseller",
      100,
      RUNS,
      () => history.traffic({ by: "user", ...october, top: 20, owners: [any(RESELLERS - 1)] }),
    ],
    ["any thirty days' top twenty", 2000, extent(10, 3), () => history.traffic({ by: "user", ...month, top: 20 })],
    [
      "a reseller's month by node",
      0,
      RUNS,
      () => history.traffic({ by: "node", ...month, top: 10, owners: [any(RESELLERS - 1)] }),
    ],
    [
      "a node's day by account",
      0,
      extent(10, 3),
      () => history.heaviest({ by: "user", start: NOW - DAY, end: NOW, nodeId: any(NODES) }, 100),
    ],
    [
      "a node's month by account",
      0,
      extent(5, 3),
      () => history.heaviest({ by: "user", start: NOW - 30 * DAY, end: NOW, nodeId: any(NODES) }, 100),
    ],
  ];
  const times: Cell[][] = [];
  for (const [name, goal, runs, ask] of questions) {
    await ask();
    const ms: number[] = [];
    const cpu: number[] = [];
    for (let run = 0; run < runs; run++) {
      const [from, began] = [process.cpuUsage(), performance.now()];
      await ask();
      ms.push(performance.now() - began);
      const { user, system } = process.cpuUsage(from);
      cpu.push((user + system) / 1000);
    }
    times.push([dialect, name, quantile(ms, 0.5), quantile(ms, 0.95), goal === 0 ? "" : goal, quantile(cpu, 0.5)]);
  }
  const measured = { sizes: await sizes(db), times };
  await thread.close();
  await db.dispose();
  return measured;
}
