// Bulk operations over HTTP, alone on the panel, beside the database's driver that writes the same rows. Run: node
// bin/node24.mjs test/bench/bulk.ts [sqlite|postgresql]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { bareBulk, NOTED, SWITCHED, type BareChange } from "./bulk/bare-bulk.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { median, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(Number(process.env["BENCH_USERS"] ?? 20_000), 2000);
const Result = z.object({ affected: z.number(), failed: z.number() });

/** Each changes every account in every turn. */
const OPERATIONS: readonly (readonly [string, BareChange, (turn: number) => readonly [string, object]])[] = [
  ["disable, enable", SWITCHED, (turn) => [turn % 2 === 0 ? "disable" : "enable", {}]],
  ["extend", SWITCHED, () => ["extend", { seconds: 60 }]],
  ["add-volume", SWITCHED, () => ["add-volume", { bytes: 1000 }]],
  ["edit the remark", NOTED, (turn) => ["edit", { set: { remark: `bench ${turn}` } }]],
  ["edit the group", NOTED, (turn) => ["edit", { set: { group: `group ${turn}` } }]],
];

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  const expiry = Math.floor(Date.now() / 1000) + 365 * 86_400;
  await copyUsers(url, first.id, USERS, { changed: { expiry: String(expiry) } });
  await panel.start();
  const measured: (readonly [string, BareChange, number])[] = [];
  for (const [name, change, asked] of OPERATIONS) {
    const rates: number[] = [];
    for (let turn = 0; turn < RUNS; turn++) {
      const [op, body] = asked(turn);
      const began = performance.now();
      const answer = await panel.post(`/api/v1/users/bulk/${op}?all=true`, body);
      const took = performance.now() - began;
      const { affected, failed } = Result.parse(await answer.json());
      // The user of the setup has no end to extend.
      if (affected < USERS - 1 || failed > 0)
        throw new Error(`${op} changed ${affected} of ${USERS}, ${failed} failed`);
      rates.push((affected * 1000) / took);
    }
    measured.push([name, change, median(rates)]);
  }
  await panel.stop();
  // What the bare driver leaves no panel could go on with.
  const floors = new Map<BareChange, number>();
  for (const change of [SWITCHED, NOTED]) {
    const rates: number[] = [];
    for (let turn = 1; turn <= RUNS; turn++) rates.push(await bareBulk(dialect, url, change, turn));
    floors.set(change, median(rates));
  }
  const rows = measured.map(([name, change, rate]): Cell[] => {
    const floor = floors.get(change) ?? Number.NaN;
    return [name, rate, floor, percent(rate, floor)];
  });
  printTable(
    `Bulk operations on ${thousands(USERS)} users, ${dialect}, medians of ${RUNS}; all found changed`,
    ["operation", "users/s", "bare driver", "of it"],
    rows,
  );
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

for (const dialect of dialects)
  if (process.argv[2] === undefined || process.argv[2] === dialect) await measure(dialect);
