// Writes `first-loads.json` next to the page: what each page and language will load. The panel names these files in the
// page, so the browser loads them in parallel.
import type { Plugin, Rolldown } from "vite";
import { ModuleGraph, readPages, ROOT, type WordedPage } from "./visits.ts";

/** Files of one page: modules and styles that the entry does not bring. */
type Files = readonly string[];

export function firstLoads(): Plugin {
  let pages: readonly WordedPage[] = [];
  return {
    name: "first-loads",
    apply: "build",
    buildStart() {
      pages = readPages(this);
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const atStart = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => closure(chunk, byName)));
      const filesOf = (module: string): Files => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === ROOT + module) ?? holder(chunks, module);
        if (!chunk) return this.error(`${module} is in no file of the build`);
        return closure(chunk, byName).filter((name) => !atStart.has(name));
      };
      const graph = new ModuleGraph(this);
      const wordFiles = (area: string) =>
        Object.fromEntries(
          graph.languages.flatMap((tag) => {
            const module = graph.wordsModule(area, tag);
            return module === undefined ? [] : [[tag, filesOf(module)] as const];
          }),
        );
      const also = pages.flatMap((page) => page.also).flatMap((pattern) => graph.matching(pattern));
      const rows = pages.map((page) => ({
        path: page.path,
        open: page.open,
        asks: page.asks,
        also: page.also,
        words: graph.areasOfPage(page),
        files: filesOf(page.module),
      }));
      const areas = [...new Set(rows.flatMap(({ words }) => words))].toSorted();
      const loads = {
        languages: wordFiles("start"),
        words: Object.fromEntries(areas.map((area) => [area, wordFiles(area)])),
        pages: rows,
        also: Object.fromEntries(also.map((module) => [module, filesOf(module)])),
      };
      this.emitFile({ type: "asset", fileName: "first-loads.json", source: JSON.stringify(loads) });
    },
  };
}

function holder(chunks: readonly Rolldown.OutputChunk[], module: string): Rolldown.OutputChunk | undefined {
  return chunks.find(({ moduleIds }) => moduleIds.includes(ROOT + module));
}

/** A chunk, what it imports at once, and the styles of all of them. */
function closure(chunk: Rolldown.OutputChunk, byName: ReadonlyMap<string, Rolldown.OutputChunk>): string[] {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (each: Rolldown.OutputChunk | undefined): void => {
    if (!each || found.has(each)) return;
    found.add(each);
    for (const name of each.imports) add(byName.get(name));
  };
  add(chunk);
  return [...found].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]);
}
