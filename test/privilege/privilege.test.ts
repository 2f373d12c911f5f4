// Nobody obtains a scope, a secret, a record or an effect that the model does not give: random roles, tokens, resellers
// and sequences of all routes. SIGNALBOX_SEED: another seed; `npm run privilege` runs for as long as one likes.
import { expect, test } from "vitest";
import { dialects } from "../database.ts";
import { shown } from "./call.ts";
import { Campaign } from "./campaign.ts";
import { shortened } from "./shortened.ts";

const SEED = Number(process.env["SIGNALBOX_SEED"] ?? 20_261_122);
const CALLS = 450;

// rule admins.scope.7
test.each(dialects)(
  `the panel on %s gives what the model gives (seed ${SEED})`,
  { timeout: 600_000 },
  async (dialect) => {
    const { finding, succeeded, refused, judged } = await Campaign.run({
      dialect,
      seed: SEED,
      goesOn: (calls) => calls < CALLS,
    });
    const sequence = finding ? (await shortened({ dialect, seed: SEED }, finding)).calls.map(shown) : [];
    expect([...(finding?.faults ?? []), ...sequence].join("\n")).toBe("");
    // The campaign goes past the first checks: most routes are both reached and refused.
    expect(succeeded.size).toBeGreaterThan(60);
    expect(refused.size).toBeGreaterThan(60);
    expect(judged).toBeGreaterThan(100);
  },
);
