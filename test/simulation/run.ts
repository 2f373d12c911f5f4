// Runs simulations by hand: `node bin/node24.mjs test/simulation/run.ts --seeds 1..3000`, or one of them with
// everything that happened: `--seeds 42 --trace`. `--seconds 12`: as many of them as that much processor time allows.
import { parseArgs } from "node:util";
import { SimulatedDatabase } from "./database.ts";
import { entities } from "./job.ts";
import { simulate } from "./simulation.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..1000" },
    seconds: { type: "string", default: "Infinity" },
    trace: { type: "boolean", default: false },
    hash: { type: "boolean", default: false },
  },
});
const [first = 1, last = first] = values.seeds.split("..").map(Number);
const database = await SimulatedDatabase.open(entities);
const began = process.cpuUsage();
const used = () => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
};
let failed = 0;
let steps = 0;
let happenings = 0;
let virtual = 0;
let done = 0;
for (let seed = first; seed <= last && used() < Number(values.seconds); seed++, done++) {
  const outcome = await simulate({
    database,
    seed,
    ...(values.trace ? { trace: (text: string) => console.log(text) } : {}),
  });
  steps += outcome.steps;
  happenings += outcome.happenings;
  virtual += outcome.took;
  if (values.hash) console.log(`seed ${seed} ${outcome.hash}`);
  if (outcome.broken.length === 0) continue;
  failed++;
  console.log([`seed ${seed}`, ...outcome.broken.slice(0, 20)].join("\n  "));
}
const seconds = used();
console.log(
  `${done} seeds (${first}..${first + done - 1}), ${failed} failed; ${((seconds * 1000) / done).toFixed(1)} ms of CPU a seed, ${(virtual / 1000 / seconds).toFixed(0)} virtual seconds a second, ${Math.round(happenings / done)} happenings and ${Math.round(steps / done)} steps a seed`,
);
process.exitCode = failed > 0 ? 1 : 0;
