// The words of the language in use, for components.
import { createContext, use, useContext } from "react";
import { laterWords } from "./later.ts";
import type { LaterWords, LoadedWords, StartWords, Words } from "./language.ts";

export const WordsContext = createContext<LoadedWords | undefined>(undefined);

export function useLanguage(): LoadedWords {
  const loaded = useContext(WordsContext);
  if (!loaded) throw new Error("words are used outside their provider");
  return loaded;
}

/**
 * The words of one area: `const words = useWords("users")`. A page waits for later ones as for its own code. The build
 * reads the area out of the source: it is always a literal.
 */
export function useWords<A extends keyof StartWords>(area: A): StartWords[A];
export function useWords<A extends keyof LaterWords>(area: A): LaterWords[A];
export function useWords(area: keyof Words): Words[keyof Words] {
  const { words, later } = useLanguage();
  return isLater(area, later) ? use(laterWords(later, area)) : words[area];
}

/** Waits for the words of several areas at once: whatever is drawn with them later waits no more. */
export function useAreas(areas: readonly string[]): void {
  const { later } = useLanguage();
  const loading = areas.flatMap((area) => (isLater(area, later) ? [laterWords(later, area)] : []));
  for (const each of loading) use(each);
}

function isLater(area: string, later: LoadedWords["later"]): area is keyof LaterWords {
  return Object.hasOwn(later, area);
}
