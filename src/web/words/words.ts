// The words of the language in use, for components.
import { createContext, useContext } from "react";
import type { LoadedWords, Words } from "./language.ts";

export const WordsContext = createContext<LoadedWords | undefined>(undefined);

export function useLanguage(): LoadedWords {
  const loaded = useContext(WordsContext);
  if (!loaded) throw new Error("words are used outside their provider");
  return loaded;
}

/** The words of one area: `const words = useWords("users")`. */
export function useWords<A extends keyof Words>(area: A): Words[A] {
  return useLanguage().words[area];
}
