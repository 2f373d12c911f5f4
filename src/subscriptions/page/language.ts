// In which language the page speaks: the one that was clicked, else what the browser prefers, else the operator's.

export const PAGE_LANGUAGES = {
  en: { name: "English", direction: "ltr", locale: "en-GB", calendar: "gregory" },
  fa: { name: "فارسی", direction: "rtl", locale: "fa-IR", calendar: "persian" },
  ru: { name: "Русский", direction: "ltr", locale: "ru-RU", calendar: "gregory" },
  zh: { name: "中文", direction: "ltr", locale: "zh-CN", calendar: "gregory" },
} as const;
export type PageLanguage = keyof typeof PAGE_LANGUAGES;

export const LANGUAGE_CODES = ["en", "fa", "ru", "zh"] as const satisfies readonly PageLanguage[];

export function isPageLanguage(text: string): text is PageLanguage {
  return Object.hasOwn(PAGE_LANGUAGES, text);
}

/** The first of the browser's languages, by weight, that the page has. */
export function chooseLanguage(asked: string, acceptLanguage: string, otherwise: PageLanguage): PageLanguage {
  if (isPageLanguage(asked)) return asked;
  const wanted = acceptLanguage
    .slice(0, 512)
    .split(",")
    .map((item) => {
      const [tag = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { code: tag.split("-", 1)[0] ?? "", weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wanted.map(({ code }) => code).find(isPageLanguage) ?? otherwise;
}
