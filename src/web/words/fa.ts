// All words in Persian, for tests: pages load them area by area.
import { allLater } from "./later.ts";
import { later, words } from "./start/fa.ts";
import type { Words } from "./language.ts";

export const fa: Words = { ...words, ...(await allLater(later)) };
