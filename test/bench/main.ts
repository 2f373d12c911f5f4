// `npm run bench [-- name…]`: runs each bench in a process of its own, one after the other; names choose among them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const NOT_BENCHES = new Set(["main.ts", "table.ts", "counters.ts", "raw.ts"]);

const folder = fileURLToPath(new URL(".", import.meta.url));
const known = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && !NOT_BENCHES.has(file))
  .map((file) => file.slice(0, -".ts".length));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exit(2);
}
for (const name of known) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const [code] = (await once(spawn(process.execPath, [`${folder}${name}.ts`], { stdio: "inherit" }), "exit")) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
