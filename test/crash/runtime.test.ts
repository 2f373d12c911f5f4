// The runtime alone, killed in the middle of a burst, again and again on each database: nothing answered is missing,
// nothing is half applied, what was interrupted is made up for.
import { describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { crashRuntime } from "./runtime/campaign.ts";
import { forSeconds } from "./share.ts";

/** The campaign's share of a run, for each database. */
const SECONDS = 25;

describe.each(dialects)("kill -9 of the runtime on %s", (dialect) => {
  test(`for ${SECONDS} s`, { timeout: 1_800_000 }, async () => {
    const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);
    const report = await crashRuntime(dialect, forSeconds(SECONDS, { least: 10, most: 50 }), seed, "mixed");
    console.info(`${dialect}, seed ${seed}: ${JSON.stringify(report)}`);
    // Kills that meet nothing under way would prove nothing.
    expect(report.answered).toBeGreaterThan(report.rounds * 10);
    expect(report.answered).toBeLessThan(report.sent);
    expect(report.withTimers).toBeGreaterThan(0);
    expect(report.withEffects).toBeGreaterThan(0);
  });
});
