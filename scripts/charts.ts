// `npm run charts`: writes docs/charts/, a page for each chart of machines/. A test fails when page and chart differ.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { StateMachine, type AnyStateMachine } from "xstate";
import { pageOf } from "./chart-page.ts";

const MACHINES = new URL("../machines/", import.meta.url);
const PAGES = new URL("../docs/charts/", import.meta.url);

/** The pages by file name. */
export async function chartPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const file of readdirSync(MACHINES).toSorted()) {
    if (!file.endsWith(".ts")) continue;
    const url = new URL(file, MACHINES);
    const exported: Record<string, unknown> = await import(url.href);
    const charts = Object.values(exported).filter((value): value is AnyStateMachine => value instanceof StateMachine);
    if (charts.length > 1) throw new Error(`machines/${file} has more than one chart`);
    const kind = basename(file, ".ts");
    for (const chart of charts) pages.set(`${kind}.md`, pageOf(kind, chart, roleOf(readFileSync(url, "utf8"))));
  }
  return pages;
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = await chartPages();
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(PAGES, { recursive: true });
  for (const [file, text] of pages) {
    writeFileSync(new URL(file, PAGES), text);
    console.log(`docs/charts/${file}`);
  }
}
