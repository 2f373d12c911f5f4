// The runtime alone, killed in the middle of a burst, fifty times on each database: nothing answered is missing, nothing is half applied, what was interrupted is made up for.
import { describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { crashRuntime } from "./runtime/campaign.ts";

const ROUNDS = 50;

describe.each(dialects)("kill -9 of the runtime on %s", (dialect) => {
  test(`${ROUNDS} rounds`, { timeout: 1_800_000 }, async () => {
    const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);
    const report = await crashRuntime(dialect, ROUNDS, seed, "mixed");
    console.info(`${dialect}, seed ${seed}: ${JSON.stringify(report)}`);
    // Kills that meet nothing under way would prove nothing.
    expect(report.answered).toBeGreaterThan(ROUNDS * 10);
    expect(report.answered).toBeLessThan(report.sent);
    expect(report.withTimers).toBeGreaterThan(0);
    expect(report.withEffects).toBeGreaterThan(0);
  });
});
