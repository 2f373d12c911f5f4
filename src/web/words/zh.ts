// All words in Chinese. Pages load them in two parts.
import { later } from "./later/zh.ts";
import { start } from "./start/zh.ts";
import type { Words } from "./language.ts";

export const zh: Words = { ...start, ...later };
