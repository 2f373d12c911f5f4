// `npm run kills -- --engine NAME --rounds N --seed S`: many rounds of kills with one engine, and the figures. Ends
// with 1 when a byte is missing or doubled.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { z } from "zod";
import { dialects } from "../../database.ts";
import { faultsOf } from "./faults.ts";
import { runKills, type Victim } from "./trial.ts";

const Options = z.object({
  engine: z.enum(["embedded", "v2ray", "xray", "sing-box"]),
  rounds: z.coerce.number().int().positive().default(50),
  seed: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(randomInt(2 ** 31)),
  database: z.enum(["sqlite", "postgresql"]).default("sqlite"),
  victims: z.string().default("panel,agent,engine,panel+agent,agent+engine,panel+agent+engine"),
});

const text = { type: "string" } as const;
const options = { engine: text, rounds: text, seed: text, database: text, victims: text };
const { engine, rounds, seed, database, victims } = Options.parse(parseArgs({ options }).values);
if (!dialects.includes(database)) throw new Error(`${database} needs PG_URL`);
const sets = victims
  .split(",")
  .map((set) => set.split("+").map((victim): Victim => z.enum(["panel", "agent", "engine"]).parse(victim)));

console.info(`kills with ${engine} on ${database}: ${rounds} rounds, --seed ${seed}`);
const begin = performance.now();
const report = await runKills({ engine, dialect: database, rounds, seed, victims: sets });
console.info(
  `${Math.round((performance.now() - begin) / 1000)} s; killed: panel ${report.kills.panel}, agent ${report.kills.agent}, engine ${report.kills.engine}`,
);
console.table(
  report.users.map(({ payload, counted, mayMiss, longestGap, longestOutage, cuts }) => ({
    payload,
    counted,
    "counted - payload, %": Math.round((10_000 * (counted - payload)) / payload) / 100,
    "may miss, %": Math.round((10_000 * mayMiss) / payload) / 100,
    "longest gap, ms": longestGap,
    "longest outage, ms": longestOutage,
    cuts,
  })),
);
console.info(`node ${report.node}, users together ${report.sum}`);
const faults = faultsOf(report);
for (const fault of faults) console.error(`FAULT: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
