// The areas of words that each page shows, by the path of its row. The build and the development server read them out
// of the sources and put them here (`vite/page-words.ts`).
export const WORDS_OF_PAGES: Readonly<Record<string, readonly string[]>> = {};
