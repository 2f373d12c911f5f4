// What `npm run charts` writes, by address.
import { existsSync, readFileSync } from "node:fs";
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

/** What became of one chart. */
export interface DrawnChart {
  readonly kind: string;
  readonly files: ReadonlyMap<URL, string>;
}

/** `waysOf`: how a chart was laid out before; undefined: the best way is looked for. One chart after the other. */
export async function* drawCharts(waysOf: (chart: ChartSource) => Ways | undefined): AsyncGenerator<DrawnChart> {
  const charts = await readCharts();
  for (const chart of charts) {
    const files = new Map([[new URL(`${chart.kind}.md`, PAGES), pageOf(chart)]]);
    const geometry = await geometryOf(chart, waysOf(chart));
    if (geometry) {
      const { full } = geometry.geometries;
      const title = `State chart of ${chart.kind}`;
      files.set(new URL(`${chart.kind}.svg`, PAGES), svgOf(chart.graph, full, title, "light"));
      files.set(new URL(`${chart.kind}.dark.svg`, PAGES), svgOf(chart.graph, full, title, "dark"));
      files.set(new URL(`${chart.kind}.json`, GEOMETRIES), `${JSON.stringify(geometry)}\n`);
    }
    yield { kind: chart.kind, files };
  }
  yield { kind: "README", files: new Map([[new URL("README.md", PAGES), indexOf(charts)]]) };
}

/**
 * The ways in which the drawing in the repository was laid out. Undefined where there is none, and where its boxes or
 * wires are not those of the chart. New descriptions and deadlines need no new layout.
 */
export function recordedWays({ kind, graph }: ChartSource): Ways | undefined {
  const file = new URL(`${kind}.json`, GEOMETRIES);
  if (!existsSync(file)) return undefined;
  const { geometries, ways } = JSON.parse(readFileSync(file, "utf8")) as ChartGeometry;
  const { boxes, wires } = geometries.full;
  return sameNames(boxes, graph.boxes) && sameNames(wires, graph.wires) ? ways : undefined;
}

function sameNames(drawn: Readonly<Record<string, unknown>>, of: ReadonlyMap<string, unknown>): boolean {
  const names = Object.keys(drawn);
  return names.length === of.size && names.every((name) => of.has(name));
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
