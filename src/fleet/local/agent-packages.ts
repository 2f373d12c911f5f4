// What an agent's code consists of: the sources that import each other from its beginning on, and the installed
// packages that they import, with all that those need.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});
const IMPORT = /(?:from|import|import\()\s*"(?!node:)(@[^/"]+\/[^/"]+|[^@./"][^/"]*)/g;

const RELATIVE = /(?:from|import|import\()\s*"(\.{1,2}\/[^"]+)"/g;

/** A source file and all that it imports, directly or not. */
export function importedSources(first: string): string[] {
  const found = new Set([first]);
  // Grows while it is walked.
  for (const source of found)
    for (const [, name = ""] of readFileSync(source, "utf8").matchAll(RELATIVE)) found.add(join(dirname(source), name));
  return [...found].toSorted();
}

/**
 * Directories of packages under `root`. A package that is not installed is left out: its import gives the best error.
 */
export function agentPackages(root: string, sources: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (from: string, name: string): void => {
    const place = placeOf(root, from, name);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = Manifest.parse(
      JSON.parse(readFileSync(join(place, "package.json"), "utf8")),
    );
    // Types are never run.
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    for (const each of names) if (!each.startsWith("@types/")) add(place, each);
  };
  for (const source of sources) {
    if (!source.endsWith(".ts")) continue;
    for (const [, name = ""] of readFileSync(source, "utf8").matchAll(IMPORT)) add(dirname(source), name);
  }
  return [...found].toSorted();
}

/** As Node looks for it: in the nearest `node_modules` upwards. */
function placeOf(root: string, from: string, name: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
  }
  return undefined;
}
