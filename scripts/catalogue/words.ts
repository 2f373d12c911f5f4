// The lists and catalogues of the words that lie in the pages' folders: `src/web/<feature>/words/<language>.ts`. They
// are read out of the folders, so a new feature adds no line.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const WEB = new URL("../../src/web/", import.meta.url);
const LANGUAGES = { en: "English", fa: "Persian", ru: "Russian", zh: "Chinese" } as const;
type Language = keyof typeof LANGUAGES;

const WRITTEN = "Written from the folders by `npm run words`.";

/** One use of words: an export of the folders' files that has a catalogue over all features. */
interface Use {
  readonly name: string;
  readonly says: string;
  /** The type that demands words for every name. Other uses are compared with the server by tests. */
  readonly type?: { readonly name: string; readonly from: string };
}

const USES: readonly Use[] = [
  { name: "titles", says: "Titles of pages." },
  { name: "settingLabels", says: "What settings are called." },
  { name: "families", says: "What families of events are about." },
  { name: "raised", says: "What each event of the catalogue says, next to the name of its subject." },
  { name: "raisedFor", says: "The same by the `reason` of the event." },
  { name: "subjects", says: "What the audit log calls the records that changes are about." },
  { name: "scopeAreas", says: "What the areas of permissions are called: the part of a scope before its colon." },
  {
    name: "actions",
    says: "What was done, as the audit log names it.",
    type: { name: "ActionWords", from: "../../../http/audit.schema.ts" },
  },
  { name: "actors", says: "What the names of charts mean, by kind of actor." },
  { name: "refusals", says: "Refusals that say no more than their code." },
  { name: "rules", says: "Why a value is refused, by the code of the rule that it breaks." },
];

/** Each list and each catalogue with its file. */
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
    { file: new URL(`words/catalogues/${language}.ts`, WEB), text: catalogues(language) },
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

function catalogues(language: Language): string {
  const types = USES.flatMap(({ type }) => (type ? [`import type { ${type.name} } from "${type.from}";`] : []));
  const features =
    language === "en"
      ? `import * as features from "../features/en.ts";
import { merged } from "../merged.ts";
`
      : `import type * as english from "../features/en.ts";
import * as translated from "../features/${language}.ts";
import type { Typed } from "../language.ts";
import { merged } from "../merged.ts";

/** Words that English has and this language lacks do not compile. */
const features: Typed<typeof english> = translated;
`;
  const merges = USES.map(
    ({ name, says, type }) =>
      `/** ${says} */\nexport const ${name}${type ? `: ${type.name}` : ""} = merged(features, "${name}");`,
  );
  return `// The words of all features by their use, in ${LANGUAGES[language]}. ${WRITTEN}
${types.join("\n")}
${features}
${merges.join("\n")}
`;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
