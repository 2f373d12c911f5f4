// All words in English. Pages load them in two parts.
import { later } from "./later/en.ts";
import { start } from "./start/en.ts";

export const en = { ...start, ...later };
