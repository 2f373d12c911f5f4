// `npm run words`: writes the lists and catalogues of the words that lie in the pages' folders
// (`src/web/words/{features,pages,catalogues}/`).
import { writeFileSync } from "node:fs";
import { wordLists } from "./catalogue/words.ts";
import { formatted } from "./formatted.ts";

for (const { file, text } of wordLists()) writeFileSync(file, await formatted(file, text));
