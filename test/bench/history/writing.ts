// What it costs a counting transaction to record what it counts: packed chunks, and beside them a plain row for each
// account, node, inbound and hour. Everybody counts the same batches, in turns.
import { randomUUID } from "node:crypto";
import { ResellerUsageRows, UsageMoveRows, UserUsageRows } from "../../../src/accounts/testing.ts";
import { sql, type Database, type Reader, type Statement } from "../../../src/db/index.ts";
import { NodeRows } from "../../../src/fleet/index.ts";
import { NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "../../../src/fleet/testing.ts";
import type { TrafficRecord } from "../../../src/fleet/usage/traffic-record.ts";
import { historyEntities, recordTraffic } from "../../../src/history/testing.ts";
import { TimerRows } from "../../../src/runtime/index.ts";
import { openTestDatabase, type TestDatabase } from "../../database.ts";
import { OpenCounter } from "../../fleet/open-counter.ts";
import { runStatement, settle } from "../counters/actors.ts";
import { extent } from "../measure/extent.ts";
import { median, percent, thousands, type Cell } from "../measure/table.ts";

const USERS = extent(1_000_000, 200_000);
const BATCH = 10_000;
const NODES = USERS / BATCH;
const ROUNDS = extent(15, 5);

/** The plain way: rows of an hour are found by their account, and added to. */
function plainRows(reads: Reader, batches: Parameters<TrafficRecord>[1], now: number): Statement[] {
  const hour = Math.floor(now / 3_600_000);
  const rows = batches.flatMap(({ nodeId, batch }) =>
    Array.from({ length: batch.rows.length / 5 }, (_, row) => {
      const [account = 0, inbound = 0, up = 0, down = 0] = batch.rows.subarray(5 * row, 5 * row + 4);
      return [account, hour, nodeId, inbound, up, down];
    }),
  );
  rows.sort(([one = 0], [other = 0]) => one - other);
  const add =
    "on conflict (account, hour, node, inbound) do update set up = plain.up + excluded.up, down = plain.down + excluded.down";
  const columns = "insert into plain (account, hour, node, inbound, up, down)";
  const text =
    reads.dialect === "sqlite"
      ? `${columns} select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 from json_each(?) where true ${add}`
      : `${columns} select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) ${add}`;
  const lists = Array.from({ length: 6 }, (_, column) => `{${rows.map((row) => row[column]).join(",")}}`);
  return [{ label: "plain", text, values: reads.dialect === "sqlite" ? [JSON.stringify(rows)] : lists }];
}

async function seed(db: Database): Promise<void> {
  const numbers = (most: number) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${most})`;
  const fill = (table: string, columns: string, values: string, most: number) => {
    const [insert, select] = [`insert into ${table} (${columns})`, `select ${values} from numbers`];
    return runStatement(
      db,
      db.dialect === "sqlite" ? `${insert} ${numbers(most)} ${select}` : `${numbers(most)} ${insert} ${select}`,
      most,
    );
  };
  const counters =
    "up, down, total_up, total_down, up_rest, down_rest, online_at, last_inbound_id, moved_at, set_at, wake_at";
  await fill("user_usage", `id, ${counters}`, "n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9000000000000000", USERS);
  const counts = "up, down, period_used, period_start, counted_at, given_since, line_from, refused_at, refusal_told_at";
  await fill("node_usage", `id, wake_at, ${counts}`, "n, null, 0, 0, 0, 0, 0, 0, 0, 0, 0", NODES);
  const primary = "primary key (account, hour, node, inbound)";
  const columns = ["account", "hour", "node", "inbound", "up", "down"].map((name) => `${name} bigint not null`);
  const table = `create table plain (${columns.join(", ")}, ${primary})`;
  await runStatement(db, db.dialect === "sqlite" ? `${table} without rowid` : table);
  await settle(db);
}

/** Each row's bytes are others: what is packed is as long as it would be. */
function rowsOf(node: number): number[][] {
  const now = Math.floor(Date.now() / 1000);
  return Array.from({ length: BATCH }, (_, index) => [
    1 + ((index * 7919) % BATCH) * NODES + (node - 1),
    7 + (index % 3),
    Math.floor(2000 * Math.random() ** -0.5),
    Math.floor(40_000 * Math.random() ** -0.5),
    now,
  ]);
}

/** What a row takes: in a chunk for the seconds until it is sorted, plain for as long as it is kept. */
async function bytesOfRows(db: TestDatabase): Promise<Record<string, number>> {
  const [found] = await db.reads.query<{ chunks: number; plain: number; rows: number }>(
    db.dialect === "sqlite"
      ? sql`select (select sum(length(data)) from traffic_chunks) as chunks, (select count(*) from plain) as rows,
          (select sum(pgsize) from dbstat where name = 'plain') as plain`
      : sql`select (select sum(length(data)) from traffic_chunks) as chunks, (select count(*) from plain) as rows,
          pg_total_relation_size('plain'::regclass) as plain`,
  );
  if (!found) throw new Error("nothing was recorded");
  const counted = (ROUNDS + 1) * BATCH;
  return { "packed chunks": found.chunks / counted, "plain rows": found.plain / found.rows };
}

export async function measureWriting(dialect: "sqlite" | "postgresql"): Promise<Cell[][]> {
  const db = await openTestDatabase(dialect, [
    UserUsageRows,
    UsageMoveRows,
    ResellerUsageRows,
    NodeRows,
    NodeUsageRows,
    UsageCursorRows,
    UsageRefusalRows,
    TimerRows,
    ...historyEntities,
  ]);
  await seed(db);
  const ways: Record<string, TrafficRecord> = {
    "no history": () => [],
    "packed chunks": recordTraffic,
    "plain rows": plainRows,
  };
  const measured = Object.entries(ways).map(([name, record]) => ({
    name,
    counter: new OpenCounter(db, Date.now, { recordTraffic: record }),
    ms: [] as number[],
    cpu: [] as number[],
  }));
  const bootId = randomUUID();
  const seqs = new Map<number, number>();
  for (let round = -1; round < ROUNDS; round++)
    for (const { counter, ms, cpu } of round % 2 === 0 ? measured : measured.toReversed()) {
      const node = 1 + (Math.max(0, round) % NODES);
      const seq = (seqs.get(node) ?? 0) + 1;
      seqs.set(node, seq);
      const batch = { bootId, seq, rows: rowsOf(node) };
      const [from, began] = [process.cpuUsage(), performance.now()];
      await counter.count({ nodeId: node, micros: 1_000_000, batch });
      if (round < 0) continue;
      ms.push(performance.now() - began);
      const { user, system } = process.cpuUsage(from);
      cpu.push((user + system) / 1000);
    }
  const bytes: Record<string, number> = { "no history": 0, ...(await bytesOfRows(db)) };
  await db.dispose();
  const base = measured[0];
  return measured.map(({ name, ms, cpu }) => [
    dialect,
    name,
    thousands(BATCH),
    median(ms),
    percent(median(ms), median(base?.ms ?? [])),
    median(cpu),
    percent(median(cpu), median(base?.cpu ?? [])),
    bytes[name] ?? 0,
  ]);
}
