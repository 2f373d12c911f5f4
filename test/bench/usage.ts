// Usage as agents report it: a batch of ten thousand users, and a report of a million users by a hundred nodes, each
// batch counted once and acknowledged after its commit. Run: node bin/node24.mjs test/bench/usage.ts
import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { ResellerUsageRows, UsageMoveRows, UserUsageRows } from "../../src/accounts/testing.ts";
import { sql, type Database } from "../../src/db/index.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "../../src/fleet/testing.ts";
import { Membership } from "../../src/fleet/desired/membership.ts";
import type { Served } from "../../src/fleet/usage/usage-judge.ts";
import type { UsageRow } from "../../src/protocol/usage-rows.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { OpenCounter } from "../fleet/open-counter.ts";
import { runStatement, settle } from "./counters/actors.ts";
import { bareUsage } from "./counters/bare-usage.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { median, medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(1_000_000, 100_000);
const BATCH = 10_000;
const NODES = USERS / BATCH;
/** Nodes whose batches are under way at once: reports are spread over the period, but never evenly. */
const AT_ONCE = 8;
/** How often agents report. */
const PERIOD_MS = 30_000;
const UP = 1000;
const DOWN = 40_000;
const NO_MULTIPLIER = 1_000_000;

interface Report {
  readonly ms: number;
  /** Processor milliseconds of the panel's process, all threads; PostgreSQL's own are not in it. */
  readonly cpu: number;
  /** Longest time that the event loop stood still. */
  readonly blocked: number;
}

/** A million users, none near a limit, and the nodes that report of them. */
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
  await fill("user_usage", `id, ${counters}`, "n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000000000000", USERS);
  const counts = "up, down, period_used, period_start, counted_at, given_since, line_from, refused_at, refusal_told_at";
  await fill("node_usage", `id, wake_at, ${counts}`, "n, null, 0, 0, 0, 0, 0, 0, 0, 0, 0", NODES);
  await settle(db);
}

/** A million accounts that a template serves, in memory as the fleet keeps them. */
function everybodyOnOne(): Served {
  const membership = new Membership();
  for (let id = 1; id <= USERS; id++) {
    const plan = { id, uuid: "", password: "", ss16: "", ss32: "", flow: "", speedLimit: 0, ipLimit: 0 };
    membership.put(id, plan, { allTemplates: id % 2 === 0, templateIds: id % 2 === 0 ? [] : [1] });
  }
  const inbounds = new Set([7]);
  return {
    known: () => Promise.resolve(),
    serves: (_templateId, userId) => membership.serves(1, userId),
    userChangedAt: () => undefined,
    inboundsOf: () => Promise.resolve(inbounds),
  };
}

/** What a node reports: every hundredth user of all, in no order. */
function batchOf(node: number, seq: number, bootId: string) {
  const rows = Array.from({ length: BATCH }, (_, index): UsageRow => [
    1 + ((index * 7919) % BATCH) * NODES + (node - 1),
    7,
    UP,
    DOWN,
    seq,
  ]);
  return { bootId, seq, from: 0, to: 0, rows, up: UP * BATCH, down: DOWN * BATCH };
}

async function observed(work: () => Promise<unknown>): Promise<Report> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const from = process.cpuUsage();
  delay.enable();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  delay.disable();
  const { user, system } = process.cpuUsage(from);
  return { ms, cpu: (user + system) / 1000, blocked: Math.max(0, delay.max / 1e6 - 5) };
}

async function measure(db: TestDatabase): Promise<Cell[][]> {
  const counter = new OpenCounter(db, Date.now, { served: everybodyOnOne(), maxNodeGbps: 400 });
  const boots = Array.from({ length: NODES }, () => randomUUID());
  const seqs = boots.map(() => 0);
  const report = async (node: number) => {
    const seq = (seqs[node - 1] ?? 0) + 1;
    seqs[node - 1] = seq;
    await counter.count({ nodeId: node, micros: NO_MULTIPLIER, batch: batchOf(node, seq, boots[node - 1] ?? "") });
  };
  const whole = async () => {
    let next = 1;
    const sender = async () => {
      while (next <= NODES) await report(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
  };
  await whole();
  const [single, all, bare]: [Report[], Report[], number[]] = [[], [], []];
  for (let run = 0; run < RUNS; run++) {
    single.push(await observed(() => report(1 + run)));
    all.push(await observed(whole));
    bare.push(
      await bareUsage(
        db,
        Array.from({ length: NODES }, (_, index) => batchOf(index + 1, 0, "").rows),
      ),
    );
  }
  const batches = seqs.reduce((sum, seq) => sum + seq, 0);
  const [found] = await db.reads.query<{ down: number; nodes: number }>(
    sql`select (select sum(down) from user_usage) as down, (select sum(down) from node_usage) as nodes`,
  );
  if (found?.down !== batches * BATCH * DOWN || found.nodes !== found.down)
    throw new Error(`not everything was counted: ${JSON.stringify(found)}`);
  const row = (users: number, runs: readonly Report[]): Cell[] => {
    const ms = medianOf(runs, (run) => run.ms);
    const [rate, cpu] = [(users * 1000) / ms, medianOf(runs, (run) => run.cpu)];
    return [
      db.dialect,
      thousands(users),
      ms,
      rate,
      percent(rate, median(bare)),
      cpu,
      percent(cpu, PERIOD_MS),
      medianOf(runs, (run) => run.blocked),
    ];
  };
  return [row(BATCH, single), row(USERS, all), [db.dialect, "bare driver", "", median(bare), "100 %", "", "", ""]];
}

const rows: Cell[][] = [];
for (const dialect of dialects) {
  const db = await openTestDatabase(dialect, [
    UserUsageRows,
    UsageMoveRows,
    ResellerUsageRows,
    NodeRows,
    NodeUsageRows,
    UsageCursorRows,
    UsageRefusalRows,
    TimerRows,
  ]);
  await seed(db);
  rows.push(...(await measure(db)));
  await db.dispose();
}
printTable(
  `Usage reports among ${thousands(USERS)} users, medians of ${RUNS}, batches of ${thousands(BATCH)}, ${AT_ONCE} nodes at once; of a core: with a report each ${PERIOD_MS / 1000} s`,
  ["database", "users", "ms", "users/s", "of bare", "process CPU ms", "of a core", "longest block ms"],
  rows,
);
