// Words that every visit may need, in Persian, area by area.
import { titles } from "../catalogues/fa.ts";
import { shell } from "../shell/fa.ts";
import { session } from "../session/fa.ts";
import { parts } from "../parts/fa.ts";
import type { StartWords } from "../language.ts";

export const words: StartWords = { shell, session, parts, titles };
export { later } from "../later/fa.ts";
