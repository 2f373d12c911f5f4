// Which areas of words a page names, itself and by all that it imports at once, read out of the sources: it must be
// known before the build knows its modules.
import { dirname, join } from "node:path/posix";

/** How a component says which words it needs (`words/words.ts`). */
const USES_WORDS = /\buseWords\("([\w-]+)"\)/g;
/** What a module imports at once from its neighbours, types aside. */
const IMPORTS = /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+\.tsx?)";/gm;
const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

/** The text of a module below `src/web`. */
type Read = (module: string) => string;

/** In order. */
export function areasNamedBy(modules: readonly string[], read: Read): string[] {
  const areas = new Set<string>();
  const seen = new Set<string>();
  const look = (module: string): void => {
    // Types and words that the panel has too name no words of the interface.
    if (seen.has(module) || module.startsWith("..")) return;
    seen.add(module);
    const code = read(module).replace(COMMENTS, "");
    for (const area of named(USES_WORDS, code)) areas.add(area);
    for (const imported of named(IMPORTS, code)) look(join(dirname(module), imported));
  };
  modules.forEach(look);
  return [...areas].toSorted();
}

function named(pattern: RegExp, code: string): string[] {
  return [...code.matchAll(pattern)].map(([, name = ""]) => name);
}
