// Words that every visit may need, in Russian, area by area.
import { titles } from "../catalogues/ru.ts";
import { shell } from "../shell/ru.ts";
import { session } from "../session/ru.ts";
import { parts } from "../parts/ru.ts";
import type { StartWords } from "../language.ts";

export const words: StartWords = { shell, session, parts, titles };
export { later } from "../later/ru.ts";
