// A campaign as a test: its seed is said before anything can fail, and kills that met nothing under way would prove
// nothing.
import { expect } from "vitest";
import type { Dialect } from "../../src/db/index.ts";
import { campaign } from "./campaign.ts";
import type { Kill } from "./plan.ts";
import { forRounds, forSeconds } from "./share.ts";

/** So many rounds prove something on any machine. */
const LEAST = 8;
/** Rounds after which there is little new. */
const MOST = 75;

/**
 * `seconds`: the campaign's share of a run. CRASH_SEED repeats a failed run, CRASH_ROUNDS gives it a number of rounds
 * instead.
 */
export async function crashTest(dialect: Dialect, kill: Kill, seconds: number): Promise<void> {
  const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);
  const given = process.env["CRASH_ROUNDS"];
  const goesOn = given === undefined ? forSeconds(seconds, { least: LEAST, most: MOST }) : forRounds(Number(given));
  console.info(`CRASH_SEED=${seed} on ${dialect}`);
  const report = await campaign({
    dialect,
    goesOn,
    seed,
    kill,
    booksEvery: 2,
    keep: false,
    say: (text) => console.info(text),
  });
  console.info(JSON.stringify(report));
  const { rounds } = report;
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
