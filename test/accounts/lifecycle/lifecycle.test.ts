// The lifecycle of accounts against a small model of the contract: one fixed seed, and one that is another every day.
// `npm run lifecycle` takes many more steps (`SIGNALBOX_LIFECYCLE_STEPS`, `SIGNALBOX_LIFECYCLE_SEED`).
import { describe, expect, test } from "vitest";
import { resellerOwners } from "../../../src/accounts/testing.ts";
import { dialects } from "../../database.ts";
import { TestPanel } from "../panel.ts";
import { reseller } from "../resellers.ts";
import { Campaign } from "./campaign.ts";

const { SIGNALBOX_LIFECYCLE_STEPS, SIGNALBOX_LIFECYCLE_SEED } = process.env;
const STEPS = Number(SIGNALBOX_LIFECYCLE_STEPS ?? 100);
const today = Math.floor(Date.now() / 86_400_000);
const SEEDS = SIGNALBOX_LIFECYCLE_SEED === undefined ? [1, today] : [Number(SIGNALBOX_LIFECYCLE_SEED)];

describe.each(dialects)("the lifecycle on %s", (dialect) => {
  // rule users.move.8
  test.each(SEEDS)("is that of the model, seed %i", { timeout: 3_600_000 }, async (seed) => {
    const panel = await TestPanel.open(dialect, resellerOwners);
    try {
      await panel.supervisor.start();
      for (const id of [100, 101]) await reseller(panel, id);
      await panel.resellers.enter();
      await new Campaign(panel, seed, [100, 101]).run(STEPS);
      expect(panel.failures).toEqual([]);
    } finally {
      await panel.dispose();
    }
  });
});
