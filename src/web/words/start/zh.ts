// Words that every visit may need, in Chinese, area by area.
import { titles } from "../catalogues/zh.ts";
import { shell } from "../shell/zh.ts";
import { session } from "../session/zh.ts";
import { parts } from "../parts/zh.ts";
import type { StartWords } from "../language.ts";

export const words: StartWords = { shell, session, parts, titles };
export { later } from "../later/zh.ts";
