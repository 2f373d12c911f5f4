// What a visit of each page needs, module by module, before any browser has made it: the page, what it imports while it
// runs, and the words that they name, in each language.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Rolldown } from "vite";
import { areasNamedBy } from "./areas.ts";
import { pagesIn, type PageSource } from "./page-table.ts";
import { laterWords, startWords } from "./word-modules.ts";

/** Absolute, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const LANGUAGE = /^words\/start\/(\w+)\.ts$/;

/** A page with the areas of words that it names. */
export interface WordedPage extends PageSource {
  readonly areas: readonly string[];
}

/** The pages, as the sources have them now. They are watched. */
export function readPages(build: Pick<Rolldown.PluginContext, "addWatchFile" | "parse">): WordedPage[] {
  const read = (module: string): string => {
    build.addWatchFile(ROOT + module);
    return readFileSync(ROOT + module, "utf8");
  };
  return pagesIn("pages.ts", (module) => build.parse(read(module), { lang: "tsx" })).map((page) => {
    const modules = [page.module, ...page.also.filter((pattern) => /\.tsx?$/.test(pattern))];
    return { ...page, areas: areasNamedBy(modules, read) };
  });
}

/** The modules of a build below `src/web`, and what each imports. */
export class ModuleGraph {
  readonly modules: ReadonlySet<string>;
  readonly languages: readonly string[];
  readonly #infoOf: (id: string) => Rolldown.ModuleInfo | null;
  readonly #closures = new Map<string, readonly string[]>();
  /** By language. */
  readonly #later: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(build: Pick<Rolldown.PluginContext, "getModuleIds" | "getModuleInfo">) {
    const ids = [...build.getModuleIds()];
    this.#infoOf = (id) => build.getModuleInfo(id);
    this.modules = new Set(ids.flatMap((id) => (id.startsWith(ROOT) ? [id.slice(ROOT.length)] : [])));
    this.languages = [...this.modules].flatMap((module) => LANGUAGE.exec(module)?.[1] ?? []);
    this.#later = new Map(this.languages.map((tag) => [tag, laterWords(ROOT, tag)]));
  }

  /** Ids of a module, by its id, and of all that it imports at once. */
  closure(id: string): readonly string[] {
    const known = this.#closures.get(id);
    if (known) return known;
    const found = new Set<string>();
    const add = (each: string): void => {
      if (found.has(each)) return;
      found.add(each);
      this.#infoOf(each)?.importedIds.forEach(add);
    };
    add(id);
    const closure = [...found];
    this.#closures.set(id, closure);
    return closure;
  }

  /** Areas of words that a page names, and that the words of every visit do not bring. */
  areasOfPage({ areas }: WordedPage): readonly string[] {
    return areas.filter((area) => this.languages.some((tag) => this.#later.get(tag)?.has(area)));
  }

  /** Modules that a pattern of the table may come to mean: `chart/geometry/:kind.json` is any of that folder. */
  matching(pattern: string): readonly string[] {
    const [head = "", ...tails] = pattern.split(/:\w+/);
    return [...this.modules].filter((module) =>
      tails.length === 0 ? module === head : module.startsWith(head) && module.endsWith(tails.at(-1) ?? ""),
    );
  }

  /** Ids of modules that a page needs by what its address names: one of several. */
  byAddress(pages: readonly PageSource[]): readonly string[] {
    const patterns = pages.flatMap(({ also }) => also.filter((pattern) => pattern.includes(":")));
    return patterns.flatMap((pattern) => this.matching(pattern)).map((module) => ROOT + module);
  }

  /** The module below `src/web` that has an area; undefined where a language lacks it. `start`: of every visit. */
  wordsModule(area: string, tag: string): string | undefined {
    const module = area === "start" ? startWords(tag) : this.#later.get(tag)?.get(area);
    return module !== undefined && this.modules.has(module) ? module : undefined;
  }
}

export interface PageVisit {
  /** Ids of the page's code. */
  readonly code: ReadonlySet<string>;
  /** Ids of its words, by language. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What each page needs. A module that depends on the page's address is not among it. */
export function visitsOf(pages: readonly WordedPage[], graph: ModuleGraph): PageVisit[] {
  const closure = (modules: readonly string[]) => new Set(modules.flatMap((module) => graph.closure(ROOT + module)));
  return pages.map((page) => {
    const areas = ["start", ...graph.areasOfPage(page)];
    const words = graph.languages.map((tag) => {
      const modules = areas.flatMap((area) => graph.wordsModule(area, tag) ?? []);
      return [tag, closure(modules)] as const;
    });
    return {
      code: closure([page.module, ...page.also.filter((pattern) => !pattern.includes(":"))]),
      words: new Map(words),
    };
  });
}
