// Writes `first-loads.json` next to the page: what each page and language will load. The panel names these files in the
// page, so the browser loads them in parallel.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { pagesIn, type PageSource } from "./page-table.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LANGUAGES = /^words\/start\/(\w+)\.ts$/;
/** How a component says which words it needs (`words/words.ts`). */
const USES_WORDS = /\buseWords\("([\w-]+)"\)/g;

/** Files of one page: modules and styles that the entry does not bring. */
type Files = readonly string[];

export function firstLoads(): Plugin {
  let pages: readonly PageSource[] = [];
  return {
    name: "first-loads",
    apply: "build",
    buildStart() {
      const file = `${ROOT}pages.tsx`;
      this.addWatchFile(file);
      pages = pagesIn(this.parse(readFileSync(file, "utf8"), { lang: "tsx" }));
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
      const modules = chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => relative(ROOT, id));
      const tags = modules.flatMap((module) => LANGUAGES.exec(module)?.[1] ?? []);
      const wordFiles = (area: string) =>
        tags.flatMap((tag) => {
          const module = `words/${area}/${tag}.ts`;
          return modules.includes(module) ? [[tag, filesOf(module)] as const] : [];
        });
      const start = new Set(wordFiles("start").flatMap(([, files]) => files));
      const graph = (id: string) => this.getModuleInfo(id);
      /** Areas that a module's code names, and that the words of every visit do not bring. */
      const areasOf = (module: string): readonly string[] => {
        const codes = imported(ROOT + module, graph).map(({ code }) => code ?? "");
        const named = codes.flatMap((code) => [...code.matchAll(USES_WORDS)].map(([, area = ""]) => area));
        return named.filter((area) => wordFiles(area).some(([, files]) => files.some((name) => !start.has(name))));
      };
      const also = pages.flatMap((page) => page.also).flatMap((pattern) => matching(pattern, modules));
      const rows = pages.map(({ module, ...page }) => {
        const words = [module, ...page.also.flatMap((pattern) => matching(pattern, modules))].flatMap(areasOf);
        return { ...page, words: [...new Set(words)].toSorted(), files: filesOf(module) };
      });
      const areas = [...new Set(rows.flatMap(({ words }) => words))].toSorted();
      const loads = {
        languages: Object.fromEntries(wordFiles("start")),
        words: Object.fromEntries(areas.map((area) => [area, Object.fromEntries(wordFiles(area))])),
        pages: rows,
        also: Object.fromEntries(also.map((module) => [module, filesOf(module)])),
      };
      this.emitFile({ type: "asset", fileName: "first-loads.json", source: JSON.stringify(loads) });
    },
  };
}

type ModuleGraph = (id: string) => Rolldown.ModuleInfo | null;

/** A module and all that it imports at once. */
function imported(module: string, graph: ModuleGraph): Rolldown.ModuleInfo[] {
  const found = new Map<string, Rolldown.ModuleInfo>();
  const add = (id: string): void => {
    const info = found.has(id) ? null : graph(id);
    if (!info) return;
    found.set(id, info);
    info.importedIds.forEach(add);
  };
  add(module);
  return [...found.values()];
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

/** Modules that a pattern of the table may come to mean: `chart/geometry/:kind.json` is any of that folder. */
function matching(pattern: string, modules: readonly string[]): string[] {
  const [head = "", ...tails] = pattern.split(/:\w+/);
  return modules.filter((module) =>
    tails.length === 0 ? module === head : module.startsWith(head) && module.endsWith(tails.at(-1) ?? ""),
  );
}
