// All words in English, for tests: pages load them area by area.
import { allLater } from "./later.ts";
import { later, words } from "./start/en.ts";

export const en = { ...words, ...(await allLater(later)) };
