// All words in Russian. Pages load them in two parts.
import { later } from "./later/ru.ts";
import { start } from "./start/ru.ts";
import type { Words } from "./language.ts";

export const ru: Words = { ...start, ...later };
