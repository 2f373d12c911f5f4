// What the settings are called in the person's language: many words, which no other page needs.
import { use } from "react";
import type { labels as english } from "../words/setting-labels/en.ts";
import type { Language } from "../words/language.ts";
import { useLanguage } from "../words/words.ts";

type Labels = Readonly<Record<keyof typeof english, string>>;
/** What people call a setting; one that the page does not know is called by its key. */
export type LabelOf = (key: string) => string;

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly labels: Labels }>>> = {
  en: () => import("../words/setting-labels/en.ts"),
  fa: () => import("../words/setting-labels/fa.ts"),
  ru: () => import("../words/setting-labels/ru.ts"),
  zh: () => import("../words/setting-labels/zh.ts"),
};
const loading = new Map<Language, Promise<{ readonly labels: Labels }>>();

/** The page waits for them as for its own code. */
export function useLabels(): LabelOf {
  const { language } = useLanguage();
  const known = loading.get(language) ?? LOADERS[language]();
  loading.set(language, known);
  const { labels } = use(known);
  return (key) => Object.entries(labels).find(([name]) => name === key)?.[1] ?? key;
}
