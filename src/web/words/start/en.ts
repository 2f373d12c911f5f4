// Words that every visit may need, in English, area by area.
import { shell } from "../shell/en.ts";
import { session } from "../session/en.ts";
import { parts } from "../parts/en.ts";

export const words = { shell, session, parts };
export { later } from "../later/en.ts";
