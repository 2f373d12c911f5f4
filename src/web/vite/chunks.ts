// Cuts the build into files: what every page needs at once is one, and the rest is cut so that a first visit loads few
// files and little that it does not need (`clusters.ts`).
import { statSync } from "node:fs";
import { basename } from "node:path/posix";
import type { Plugin, Rolldown } from "vite";
import { clustered, type Part, type Visit } from "./clusters.ts";
import { ModuleGraph, readPages, visitsOf, type WordedPage } from "./visits.ts";

/**
 * As many bytes of source as a request of its own costs: its headers, and its share of the wait for an answer on a far
 * line.
 */
const FILE_COST = 9000;
/** What only a press opens is loaded by few visits, and by then most is there. */
const LATE_WEIGHT = 0.1;
const MAIN = "main";

/** Must be among the plugins before those that name files. */
export function chunks(): Plugin {
  let pages: readonly WordedPage[] = [];
  let plan: ReadonlyMap<string, string> = new Map();
  return {
    name: "chunks",
    apply: "build",
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            chunkFileNames: ({ name }) => `assets/${plainName(name)}-[hash].js`,
            codeSplitting: {
              groups: [
                // With what the bundler adds to every build.
                { name: MAIN, test: (id) => plan.get(id) === MAIN, priority: 1 },
                // What a module imports is in a file that comes with its own.
                { debugName: "by cost", name: (id) => plan.get(id) ?? null, includeDependenciesRecursively: false },
              ],
            },
          },
        },
      },
    }),
    buildStart() {
      pages = readPages(this);
    },
    buildEnd() {
      plan = planOf(pages, this);
    },
  };
}

/** A file's name without what tells it from another of the same name. */
export function plainName(name: string): string {
  return name.replace(/~\d+$/, "");
}

/** By id of a module, the name of its file. A module that a page needs by its address (a drawing) stands alone. */
function planOf(pages: readonly WordedPage[], build: Rolldown.PluginContext): Map<string, string> {
  const graph = new ModuleGraph(build);
  const infos = [...build.getModuleIds()].flatMap((id) => build.getModuleInfo(id) ?? []);
  const initial = new Set(infos.flatMap(({ id, isEntry }) => (isEntry ? graph.closure(id) : [])));
  const facades = new Set(infos.flatMap(({ id, dynamicImporters }) => (dynamicImporters.length > 0 ? [id] : [])));
  const visits = visitsOf(pages, graph);
  const tongues = graph.languages.map((tag) => union(visits.map(({ words }) => words.get(tag) ?? [])));
  // What the words of several languages import is code: no language comes with the words of another.
  const ofAllWords = [...union(tongues)].filter((id) => tongues.filter((each) => each.has(id)).length > 1);
  const code = union([...visits.map((visit) => visit.code), ofAllWords]);
  const words = without(union(tongues), code);
  const late = [...without(without(facades, code), words)];
  const nameOf = (id: string) => (initial.has(id) ? MAIN : id);
  const partsAmong = (ids: ReadonlySet<string>): Part[] =>
    infos.filter(({ id }) => ids.has(id) && !initial.has(id)).map((info) => partOf(info, nameOf));

  const coded = without(union([code, ...late.map((id) => graph.closure(id))]), union([words, graph.byAddress(pages)]));
  const codeVisits: Visit[] = [
    ...visits.map((visit) => ({ weight: 1, parts: union([[MAIN], visit.code, ofAllWords]) })),
    ...late.map((id) => ({ weight: LATE_WEIGHT, parts: union([[MAIN], graph.closure(id)]) })),
  ];
  const main: Part = { name: MAIN, size: 0, styled: true, imports: [] };
  const wordFiles = tongues.flatMap((ids) => {
    const wordVisits = visits.map((visit) => ({ weight: 1, parts: union(visit.words.values()) }));
    return clustered(partsAmong(without(ids, code)), wordVisits, FILE_COST);
  });
  const plan = new Map([...initial].map((id) => [id, MAIN]));
  for (const [index, ids] of [
    ...clustered([main, ...partsAmong(coded)], codeVisits, FILE_COST),
    ...wordFiles,
  ].entries()) {
    const name = ids.includes(MAIN) ? MAIN : `${nameFor(ids.filter((id) => facades.has(id)))}~${index}`;
    for (const id of ids) if (id !== MAIN) plan.set(id, name);
  }
  return plan;
}

function union(sets: Iterable<Iterable<string>>): Set<string> {
  return new Set([...sets].flatMap((each) => [...each]));
}

function without(set: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...set].filter((each) => !other.has(each)));
}

function partOf({ id, code, importedIds }: Rolldown.ModuleInfo, nameOf: (id: string) => string): Part {
  const styled = id.endsWith(".css");
  return {
    name: id,
    size: styled ? statSync(id).size : (code ?? "").length,
    styled,
    imports: importedIds.map(nameOf),
  };
}

/** A file of one page has its name, one of words that of its language. */
function nameFor(facades: readonly string[]): string {
  const names = new Set(facades.map((id) => basename(id).replace(/\.\w+(?:\?.*)?$/, "")));
  const [only] = names;
  return only === undefined || names.size > 1 ? "shared" : only;
}
