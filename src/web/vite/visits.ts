// What a visit of each page needs, module by module, before any browser has made it: the page, what it imports while it
// runs, and the words that they name, in each language.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Rolldown } from "vite";
import { pagesIn, type PageSource } from "./page-table.ts";

/** Absolute, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const LANGUAGE = /^words\/start\/(\w+)\.ts$/;
/** How a component says which words it needs (`words/words.ts`). */
const USES_WORDS = /\buseWords\("([\w-]+)"\)/g;

/** The pages, as the sources have them now. They are watched. */
export function readPages(build: Pick<Rolldown.PluginContext, "addWatchFile" | "parse">): PageSource[] {
  return pagesIn("pages.ts", (module) => {
    build.addWatchFile(ROOT + module);
    return build.parse(readFileSync(ROOT + module, "utf8"), { lang: "tsx" });
  });
}

/** The modules of a build below `src/web`, and what each imports. */
export class ModuleGraph {
  readonly modules: ReadonlySet<string>;
  readonly languages: readonly string[];
  readonly #infoOf: (id: string) => Rolldown.ModuleInfo | null;
  readonly #closures = new Map<string, readonly string[]>();
  readonly #named = new Map<string, readonly string[]>();

  constructor(build: Pick<Rolldown.PluginContext, "getModuleIds" | "getModuleInfo">) {
    const ids = [...build.getModuleIds()];
    this.#infoOf = (id) => build.getModuleInfo(id);
    this.modules = new Set(ids.flatMap((id) => (id.startsWith(ROOT) ? [id.slice(ROOT.length)] : [])));
    this.languages = [...this.modules].flatMap((module) => LANGUAGE.exec(module)?.[1] ?? []);
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

  /** Areas of words that a module's code names, and that the words of every visit do not bring. */
  areasOf(module: string): readonly string[] {
    const named = this.closure(ROOT + module).flatMap((id) => this.#namedIn(id));
    return [...new Set(named)].filter((area) => this.languages.some((tag) => this.#isLater(area, tag)));
  }

  /** Areas of a page and of what it imports while it runs. */
  areasOfPage({ module, also }: PageSource): readonly string[] {
    const modules = [module, ...also.flatMap((pattern) => this.matching(pattern))];
    return [...new Set(modules.flatMap((each) => this.areasOf(each)))].toSorted();
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

  #namedIn(id: string): readonly string[] {
    if (!id.startsWith(ROOT)) return [];
    const known = this.#named.get(id);
    if (known) return known;
    const named = [...(this.#infoOf(id)?.code ?? "").matchAll(USES_WORDS)].map(([, area = ""]) => area);
    this.#named.set(id, named);
    return named;
  }

  #isLater(area: string, tag: string): boolean {
    const module = wordsModule(area, tag);
    return this.modules.has(module) && !this.closure(ROOT + wordsModule("start", tag)).includes(ROOT + module);
  }
}

export function wordsModule(area: string, tag: string): string {
  return `words/${area}/${tag}.ts`;
}

export interface PageVisit {
  /** Ids of the page's code. */
  readonly code: ReadonlySet<string>;
  /** Ids of its words, by language. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What each page needs. A module that depends on the page's address is not among it. */
export function visitsOf(pages: readonly PageSource[], graph: ModuleGraph): PageVisit[] {
  const closure = (modules: readonly string[]) => new Set(modules.flatMap((module) => graph.closure(ROOT + module)));
  return pages.map((page) => {
    const areas = ["start", ...graph.areasOfPage(page)];
    const words = graph.languages.map((tag) => {
      const modules = areas.map((area) => wordsModule(area, tag)).filter((module) => graph.modules.has(module));
      return [tag, closure(modules)] as const;
    });
    return {
      code: closure([page.module, ...page.also.filter((pattern) => !pattern.includes(":"))]),
      words: new Map(words),
    };
  });
}
