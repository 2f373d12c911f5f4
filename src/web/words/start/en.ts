// Words that every visit may need, in English, area by area.
import { titles } from "../catalogues/en.ts";
import { shell } from "../shell/en.ts";
import { session } from "../session/en.ts";
import { parts } from "../parts/en.ts";

export const words = { shell, session, parts, titles };
export { later } from "../later/en.ts";
