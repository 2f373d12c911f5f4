// A seed is all that a simulation depends on: it runs the same again, here and in another process, and never looks at a
// real clock.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test, vi } from "vitest";
import { SimulatedDatabase } from "./database.ts";
import { entities } from "./job.ts";
import { simulate } from "./simulation.ts";

const SEEDS = [3, 4, 5, 6, 7, 8, 9, 10];
let database: SimulatedDatabase;

beforeAll(async () => {
  database = await SimulatedDatabase.open(entities);
});

async function hashes(): Promise<string[]> {
  const found: string[] = [];
  for (const seed of SEEDS) found.push((await simulate({ database, seed })).hash);
  return found;
}

test("a seed gives the same run again, and another seed another", async () => {
  const first = await hashes();
  expect(await hashes()).toEqual(first);
  expect(new Set(first).size).toBe(SEEDS.length);
});

test("a seed gives the same run in another process", async () => {
  const run = fileURLToPath(new URL("run.ts", import.meta.url));
  const range = `${SEEDS[0]}..${SEEDS.at(-1)}`;
  const { stdout } = await promisify(execFile)(process.execPath, [run, "--seeds", range, "--hash"]);
  const told = [...stdout.matchAll(/^seed \d+ ([0-9a-f]+)$/gm)].map(([, hash]) => hash);
  expect(told).toEqual(await hashes());
});

test("time and chance of the machine are not asked for", async () => {
  // `p-queue` reads the time for rate limits, which are not used here.
  const asked = {
    setTimeout: vi.spyOn(globalThis, "setTimeout"),
    setInterval: vi.spyOn(globalThis, "setInterval"),
    random: vi.spyOn(Math, "random"),
  };
  try {
    for (const seed of SEEDS) await simulate({ database, seed });
    for (const [name, spy] of Object.entries(asked)) expect(spy.mock.calls, name).toEqual([]);
  } finally {
    vi.restoreAllMocks();
  }
});
