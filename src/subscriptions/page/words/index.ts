// The page's words by language.
import type { PageLanguage } from "../language.ts";
import { en, type PageWords } from "./en.ts";
import { fa } from "./fa.ts";
import { ru } from "./ru.ts";
import { zh } from "./zh.ts";

export type { PageWords } from "./en.ts";

export const PAGE_WORDS: Readonly<Record<PageLanguage, PageWords>> = { en, fa, ru, zh };
