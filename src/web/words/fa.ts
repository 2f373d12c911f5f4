// All words in Persian. Pages load them in two parts.
import { later } from "./later/fa.ts";
import { start } from "./start/fa.ts";
import type { Words } from "./language.ts";

export const fa: Words = { ...start, ...later };
