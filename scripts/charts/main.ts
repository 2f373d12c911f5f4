// `npm run charts [-- NAME…]`: writes the geometry that the interface draws by, and the pages in docs/charts/. A test
// fails when they differ from the charts. A chart whose states and transitions changed, or that is named, is laid out
// again: many ways are tried, some seconds for a few states and minutes for the largest.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { drawCharts, GEOMETRIES, PAGES, recordedWays } from "./files.ts";

const named = new Set(process.argv.slice(2));
const known = new Set<string>();
const written = new Set<string>();
for (const folder of [PAGES, GEOMETRIES]) mkdirSync(folder, { recursive: true });

const drawn = drawCharts((chart) => {
  known.add(chart.kind);
  const ways = named.has(chart.kind) ? undefined : recordedWays(chart);
  if (!ways) console.log(`${chart.kind}: looking for the best layout`);
  return ways;
});
for await (const { kind, files } of drawn) {
  const changed = [...files].filter(([path, text]) => textOf(path) !== text);
  for (const [path, text] of changed) writeFileSync(path, text);
  for (const path of files.keys()) written.add(path.href);
  console.log(
    `${kind}: ${changed.length === 0 ? "as it was" : changed.map(([path]) => basename(path.pathname)).join(", ")}`,
  );
}
for (const folder of [PAGES, GEOMETRIES])
  for (const name of readdirSync(folder)) if (!written.has(new URL(name, folder).href)) rmSync(new URL(name, folder));
for (const name of named) if (!known.has(name)) throw new Error(`machines/${name}.ts is not there, or has no chart`);

function textOf(path: URL): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
