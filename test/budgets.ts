// `npm run budgets`: the seconds that each room's tests took in the last whole run against what they may take
// (`budgets.json`, on two quiet cores). Fails where one took more, or has no budget: a new suite pays for itself, or
// its budget is raised on purpose. With `--order` it keeps the long files of that run as the order of the next ones
// (`long-files.json`).
import { readFileSync, writeFileSync } from "node:fs";
import budgets from "./budgets.json" with { type: "json" };

const TIMES = ".times.json";

type Seconds = Readonly<Record<string, number>>;
let rooms: Seconds;
let longFiles: Seconds;
try {
  ({ rooms, longFiles } = JSON.parse(readFileSync(TIMES, "utf8")) as { rooms: Seconds; longFiles: Seconds });
} catch (error) {
  console.error(
    `${TIMES} cannot be read: it is left by a whole \`npm test\` (${error instanceof Error ? error.message : String(error)})`,
  );
  process.exit(2);
}
if (process.argv.includes("--order")) {
  const inOrder = Object.fromEntries(Object.entries(longFiles).toSorted(([a], [b]) => a.localeCompare(b)));
  writeFileSync(new URL("long-files.json", import.meta.url), `${JSON.stringify(inOrder, undefined, 2)}\n`);
}
const allowed: Seconds = budgets;
let over = 0;
for (const room of [...new Set([...Object.keys(allowed), ...Object.keys(rooms)])].toSorted()) {
  const [took, budget] = [rooms[room], allowed[room]];
  const wrong = took !== undefined && (budget === undefined || took > budget);
  if (wrong) over++;
  const verdict = took === undefined ? "not run" : budget === undefined ? "no budget" : wrong ? "too long" : "";
  console.log(
    `${room.padEnd(14)} ${(took ?? 0).toFixed(1).padStart(8)} s of ${String(budget ?? "-").padStart(5)} s  ${verdict}`.trimEnd(),
  );
}
const sum = (of: Seconds) => Math.round(Object.values(of).reduce((total, each) => total + each, 0));
console.log(`${"together".padEnd(14)} ${String(sum(rooms)).padStart(8)} s of ${String(sum(allowed)).padStart(5)} s`);
process.exitCode = over > 0 ? 1 : 0;
