// The lists of the words that lie in the pages' folders: `src/web/<feature>/words/<language>.ts`. They are read out of
// the folders, so a new feature adds no line.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const WEB = new URL("../../src/web/", import.meta.url);
const LANGUAGES = { en: "English", fa: "Persian", ru: "Russian", zh: "Chinese" } as const;
type Language = keyof typeof LANGUAGES;

const WRITTEN = "Written from the folders by `npm run words`.";

/** Each list with its file. */
export function wordLists(): { readonly file: URL; readonly text: string }[] {
  const folders = readdirSync(WEB)
    .filter((name) => existsSync(new URL(`${name}/words/en.ts`, WEB)))
    .toSorted();
  const paged = folders.filter((name) =>
    /^export (?:const page\b|\{ page \})/m.test(readFileSync(new URL(`${name}/words/en.ts`, WEB), "utf8")),
  );
  return (Object.keys(LANGUAGES) as Language[]).flatMap((language) => [
    { file: new URL(`words/features/${language}.ts`, WEB), text: featureList(folders, language) },
    { file: new URL(`words/pages/${language}.ts`, WEB), text: pageList(paged, language) },
  ]);
}

function featureList(folders: readonly string[], language: Language): string {
  const lines = folders.map((name) => `export * as ${camelCase(name)} from "../../${name}/words/${language}.ts";`);
  return `// The words of every feature, in ${LANGUAGES[language]}. ${WRITTEN}\n${lines.join("\n")}\n`;
}

function pageList(folders: readonly string[], language: Language): string {
  const lines = folders.map(
    (name) => `  "${name}": async () => (await import("../../${name}/words/${language}.ts")).page,`,
  );
  return `// Loads the words of each page's folder, in ${LANGUAGES[language]}. ${WRITTEN}
export const pages = {
${lines.join("\n")}
};
`;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
