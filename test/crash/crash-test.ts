// A campaign as a test: its seed is said before anything can fail, and kills that met nothing under way would prove nothing.
import { expect } from "vitest";
import type { Dialect } from "../../src/db/index.ts";
import { campaign } from "./campaign.ts";
import type { Kill } from "./plan.ts";

/** CRASH_SEED repeats a failed run, CRASH_ROUNDS makes it shorter or longer. */
export async function crashTest(dialect: Dialect, kill: Kill, most: number): Promise<void> {
  const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);
  const rounds = Number(process.env["CRASH_ROUNDS"] ?? most);
  console.info(`CRASH_SEED=${seed} CRASH_ROUNDS=${rounds} on ${dialect}`);
  const report = await campaign({ dialect, rounds, seed, kill, booksEvery: 2, keep: false, say: (text) => console.info(text) });
  console.info(JSON.stringify(report));
  expect(report.answered).toBeLessThan(report.sent);
  if (rounds >= 20) expect(report.answered).toBeGreaterThan(rounds * 2);
  if (rounds >= 20) expect(report.repeated).toBeGreaterThan(0);
  expect(report.replayed).toBeGreaterThan(0);
  expect(report.whole).toBeGreaterThan(0);
  expect(report.deliveries).toBeGreaterThan(rounds);
  expect(report.bytes).toBeGreaterThan(0);
  // A few rounds may all fall on the same.
  if (rounds >= 50) expect(Object.keys(report.kills).length).toBeGreaterThan(5);
}
