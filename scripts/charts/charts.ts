// The charts of machines/, each as the data, the graph and the words that are drawn and written of it.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { StateMachine, type AnyStateMachine } from "xstate";
import { chartDataOf, type ChartData } from "../../src/runtime/index.ts";
import { graphOf, type ChartGraph } from "../../src/web/chart/graph.ts";

const MACHINES = new URL("../../machines/", import.meta.url);

export interface ChartSource {
  readonly kind: string;
  readonly machine: AnyStateMachine;
  readonly data: ChartData;
  readonly graph: ChartGraph;
  /** What the chart's file says on top. */
  readonly role: string;
}

export async function readCharts(): Promise<ChartSource[]> {
  const charts: ChartSource[] = [];
  for (const file of readdirSync(MACHINES).toSorted()) {
    if (!file.endsWith(".ts")) continue;
    const url = new URL(file, MACHINES);
    const exported: Record<string, unknown> = await import(url.href);
    const machines = Object.values(exported).filter((value): value is AnyStateMachine => value instanceof StateMachine);
    const [machine, ...more] = machines;
    if (more.length > 0) throw new Error(`machines/${file} has more than one chart`);
    if (!machine) continue;
    const data = chartDataOf(machine);
    const role = roleOf(readFileSync(url, "utf8"));
    charts.push({ kind: basename(file, ".ts"), machine, data, graph: graphOf(data.definition, data.delays), role });
  }
  return charts;
}

/** The comment on top of a file, as text. */
function roleOf(source: string): string {
  const lines = source.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join("\n");
}
