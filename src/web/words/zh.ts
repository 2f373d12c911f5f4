// All words in Chinese, for tests: pages load them area by area.
import { allLater } from "./later.ts";
import { later, words } from "./start/zh.ts";
import type { Words } from "./language.ts";

export const zh: Words = { ...words, ...(await allLater(later)) };
