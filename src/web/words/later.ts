// Words that only some pages need, loaded with the first of them, so that no other visit carries them.
import type { Language, LaterWords, Words } from "./language.ts";

const LATER: Readonly<Record<keyof LaterWords, true>> = {
  access: true,
  audit: true,
  events: true,
  nodes: true,
  pool: true,
  security: true,
  settings: true,
  webhooks: true,
};

export function isLater(area: keyof Words): area is keyof LaterWords {
  return Object.hasOwn(LATER, area);
}

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly later: LaterWords }>>> = {
  en: () => import("./later/en.ts"),
  fa: () => import("./later/fa.ts"),
  ru: () => import("./later/ru.ts"),
  zh: () => import("./later/zh.ts"),
};
const loading = new Map<Language, Promise<LaterWords>>();

/** Always the same promise for a language. */
export function laterWords(language: Language): Promise<LaterWords> {
  const known = loading.get(language) ?? LOADERS[language]().then(({ later }) => later);
  loading.set(language, known);
  return known;
}
