// All words in Russian, for tests: pages load them area by area.
import { allLater } from "./later.ts";
import { later, words } from "./start/ru.ts";
import type { Words } from "./language.ts";

export const ru: Words = { ...words, ...(await allLater(later)) };
