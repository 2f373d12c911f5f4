// Words that only some pages need: loaded with the first of them, so that no other visit carries them.
import { use } from "react";
import type { Language } from "./language.ts";
import { useLanguage } from "./words.ts";

/** The hook that gives an area's words; what is drawn with them waits until they are there. */
export function areaWords<W>(load: Readonly<Record<Language, () => Promise<W>>>): () => W {
  const loaded = new Map<Language, Promise<W>>();
  return function useAreaWords() {
    const { language } = useLanguage();
    const words = loaded.get(language) ?? load[language]();
    loaded.set(language, words);
    return use(words);
  };
}
