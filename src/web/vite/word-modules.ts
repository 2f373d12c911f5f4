// Where the words of an area lie, read out of the lists that load them: `words/later/<language>.ts` and what it
// spreads.
import { readFileSync } from "node:fs";
import { join } from "node:path/posix";

/** A line of a list: `users: async () => (await import("../../users/words/en.ts")).page`. */
const LINE = /^ {2}"?([\w-]+)"?: async \(\) =>\s+\(await import\("([^"]+)"\)\)\.(\w+)/gm;
const LISTS = ["words/pages", "words/later"] as const;

/** The module with the words that every visit needs. */
export const startWords = (tag: string): string => `words/start/${tag}.ts`;

/** By area that comes later, the module of a build that has it, below `src/web` (`cut-words.ts`). */
export function laterWords(root: string, tag: string): ReadonlyMap<string, string> {
  const found = LISTS.flatMap((list) =>
    [...readFileSync(`${root}${list}/${tag}.ts`, "utf8").matchAll(LINE)].map(
      ([, area = "", from = "", name = ""]) => [area, `${join(list, from)}?words=${name}`] as const,
    ),
  );
  if (found.length === 0) throw new Error(`no area of words is loaded for ${tag}`);
  return new Map(found);
}
