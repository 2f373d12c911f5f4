// All words at once, for titles of pages.
import type { Words } from "../words/language.ts";
import { useLanguage } from "../words/words.ts";

export function useAllWords(): Words {
  return useLanguage().words;
}
