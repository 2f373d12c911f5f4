// A long campaign by hand: `npm run privilege -- --seed 7 --minutes 10`. Prints each seed, and where one fails the
// shortest sequence that was found to fail the same way.
import { parseArgs } from "node:util";
import { dialects } from "../database.ts";
import { shown } from "./call.ts";
import { Campaign } from "./campaign.ts";
import { shortened } from "./shortened.ts";

const CALLS = 3000;
const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, minutes: { type: "string", default: "5" } },
});
const end = Date.now() + Number(values.minutes) * 60_000;
for (let seed = Number(values.seed); Date.now() < end; seed++) {
  for (const dialect of dialects) {
    const began = performance.now();
    const { finding, calls, judged } = await Campaign.run({
      dialect,
      seed,
      goesOn: (count) => count < CALLS && Date.now() < end,
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(
      `seed ${seed} on ${dialect}: ${calls} calls, ${judged} frames and deliveries, ${seconds} s${finding ? "" : ", held"}`,
    );
    if (!finding) continue;
    console.log(finding.faults.join("\n"));
    const short = await shortened({ dialect, seed }, finding);
    console.log(["the sequence:", ...short.calls.map(shown)].join("\n  "));
    process.exit(1);
  }
}
