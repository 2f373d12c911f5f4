// All words at once, for titles of pages.
import type { StartWords } from "../words/language.ts";
import { useLanguage } from "../words/words.ts";

export function useAllWords(): StartWords {
  return useLanguage().words;
}
