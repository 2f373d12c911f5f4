// The words of the language in use, for components.
import { createContext, use, useContext } from "react";
import { isLater, laterWords } from "./later.ts";
import type { LaterWords, LoadedWords, StartWords, Words } from "./language.ts";

export const WordsContext = createContext<LoadedWords | undefined>(undefined);

export function useLanguage(): LoadedWords {
  const loaded = useContext(WordsContext);
  if (!loaded) throw new Error("words are used outside their provider");
  return loaded;
}

/** The words of one area: `const words = useWords("users")`. A page waits for later ones as for its own code. */
export function useWords<A extends keyof StartWords>(area: A): StartWords[A];
export function useWords<A extends keyof LaterWords>(area: A): LaterWords[A];
export function useWords(area: keyof Words): Words[keyof Words] {
  const { language, words } = useLanguage();
  return isLater(area) ? use(laterWords(language))[area] : words[area];
}
