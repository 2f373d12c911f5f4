// What `npm run charts` writes, by address.
import { readFileSync } from "node:fs";
import type { ChartGeometry } from "../../src/web/chart/geometry.ts";
import { readCharts, type ChartSource } from "./charts.ts";
import { bestWay, layOut } from "./layout.ts";
import { pageOf, picture } from "./page.ts";
import { svgOf } from "./svg.ts";

/** Pages and drawings for people who read. */
export const PAGES = new URL("../../docs/charts/", import.meta.url);
/** What the interface draws by. */
export const GEOMETRIES = new URL("../../src/web/chart/geometry/", import.meta.url);

type Ways = ChartGeometry["ways"];

/** `waysOf`: how a chart was laid out before; without it the best way is looked for. */
export async function chartFiles(waysOf?: (kind: string) => Ways): Promise<Map<URL, string>> {
  const charts = await readCharts();
  const files = new Map<URL, string>([[new URL("README.md", PAGES), indexOf(charts)]]);
  for (const chart of charts) {
    files.set(new URL(`${chart.kind}.md`, PAGES), pageOf(chart));
    const geometry = await geometryOf(chart, waysOf?.(chart.kind));
    if (!geometry) continue;
    const { full } = geometry.geometries;
    const title = `State chart of ${chart.kind}`;
    files.set(new URL(`${chart.kind}.svg`, PAGES), svgOf(chart.graph, full, title, "light"));
    files.set(new URL(`${chart.kind}.dark.svg`, PAGES), svgOf(chart.graph, full, title, "dark"));
    files.set(new URL(`${chart.kind}.json`, GEOMETRIES), `${JSON.stringify(geometry)}\n`);
  }
  return files;
}

/** The ways in which the drawings in the repository were laid out. */
export function recordedWays(kind: string): Ways {
  const geometry = JSON.parse(readFileSync(new URL(`${kind}.json`, GEOMETRIES), "utf8")) as ChartGeometry;
  return geometry.ways;
}

/** Undefined for charts that have no drawing. */
async function geometryOf(
  { kind, data, graph }: ChartSource,
  known: Ways | undefined,
): Promise<ChartGeometry | undefined> {
  if (!graph.drawable) return undefined;
  const ways = known ?? {
    full: await bestWay(graph, "full"),
    heat: await bestWay(graph, "heat"),
    phone: await bestWay(graph, "phone"),
  };
  const geometries = {
    full: await layOut(graph, "full", ways.full),
    heat: await layOut(graph, "heat", ways.heat),
    phone: await layOut(graph, "phone", ways.phone),
  };
  return { kind, digest: data.digest, geometries, ways };
}

function indexOf(charts: readonly ChartSource[]): string {
  const parts = charts.map(
    ({ kind, role }) => `## [${kind}](${kind}.md)\n\n${role.split("\n")[0] ?? ""}\n\n${picture(kind)}`,
  );
  return `# Charts\n\nEvery lifecycle of the panel is one of these charts: the code runs them, and the interface draws them with the state of the moment lit. Written by \`npm run charts\`; a test compares them with the code.\n\n${parts.join("\n\n")}\n`;
}
