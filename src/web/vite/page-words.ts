// Tells the interface which words each page shows: it waits for them together with the page's code. A part of a page
// that waited for its words when it is first drawn would take the page away meanwhile.
import type { Plugin } from "vite";
import { readPages, ROOT } from "./visits.ts";
import { laterWords } from "./word-modules.ts";

/** Writes the table of `words/of-pages.ts`. */
export function pageWords(): Plugin {
  return {
    name: "page-words",
    transform: {
      filter: { id: /\/words\/of-pages\.ts$/ },
      handler() {
        const later = laterWords(ROOT, "en");
        const rows = readPages(this).map(({ path, areas }) => [path, areas.filter((area) => later.has(area))] as const);
        return { code: `export const WORDS_OF_PAGES = ${JSON.stringify(Object.fromEntries(rows))};`, map: null };
      },
    },
  };
}
