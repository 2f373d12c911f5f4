// The languages, and how the words of one are loaded. A dictionary that lacks a key of the English one does not
// compile.
import type { later } from "./later/en.ts";
import type { words as start } from "./start/en.ts";

/** Keys of the English dictionary with words of any language. */
export type Typed<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : Typed<T[K]>;
};
/** Words that every visit needs. */
export type StartWords = Typed<typeof start>;
/** Words that come with the pages that need them. */
export type LaterWords = { readonly [A in keyof typeof later]: Typed<Awaited<ReturnType<(typeof later)[A]>>> };
export type Words = StartWords & LaterWords;
/** Loads each area of one language. */
export type LaterLoaders = { readonly [A in keyof LaterWords]: () => Promise<LaterWords[A]> };

export const LANGUAGES = {
  en: { name: "English", direction: "ltr", locale: "en-GB" },
  fa: { name: "فارسی", direction: "rtl", locale: "fa-IR" },
  ru: { name: "Русский", direction: "ltr", locale: "ru-RU" },
  zh: { name: "中文", direction: "ltr", locale: "zh-CN" },
} as const;
export type Language = keyof typeof LANGUAGES;

export interface LoadedWords {
  readonly language: Language;
  readonly words: StartWords;
  readonly later: LaterLoaders;
}

const STORED = "signalbox.language";

/** What the person chose here before, else the browser's, else English. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag)) ?? "en";
}

/** The words of a language that every visit needs, and how to load the others. */
export async function loadLanguage(language: Language): Promise<LoadedWords> {
  switch (language) {
    case "en":
      return { language, ...(await import("./start/en.ts")) };
    case "fa":
      return { language, ...(await import("./start/fa.ts")) };
    case "ru":
      return { language, ...(await import("./start/ru.ts")) };
    case "zh":
      return { language, ...(await import("./start/zh.ts")) };
  }
}
