// Where a new feature is entered: the lists of features, pages, models of permissions and rules.
import type { Names } from "./names.ts";

/** `place` is replaced by `text` in `file`. */
interface Entry {
  readonly file: string;
  readonly place: string;
  readonly text: string;
}

const PANEL = "src/panel/features.ts";
const MODELS = "test/privilege/features.ts";
const MODEL_LIST = "readonly FeaturePrivileges[] = [";

function listEntries({ folder, many, variables, table, Type }: Names): readonly Entry[] {
  const privileges = `${table.toUpperCase()}_PRIVILEGES`;
  const row = `  {
    path: "/${folder}",
    page: lazy(() => import("../${folder}/${Type}sPage.tsx")),
    title: (words) => words.titles.${variables},
    nav: { group: "system", scope: "settings:read", icon: IconSettings },
    asks: [{ scope: "settings:read", get: "/${folder}?limit=50&offset=0", bare: true }],
  },
];`;
  const imported = `import { feature as ${variables} } from "../${folder}/index.ts";\n`;
  const modelled = `import { ${privileges} } from "../${folder}/privilege.ts";\n`;
  return [
    { file: PANEL, place: "import {\n  compose,", text: `${imported}import {\n  compose,` },
    { file: PANEL, place: "\n] as const;", text: `\n  ${variables},\n] as const;` },
    { file: "src/web/pages/system.tsx", place: "];", text: row },
    { file: MODELS, place: "import type { Call }", text: `${modelled}import type { Call }` },
    { file: MODELS, place: MODEL_LIST, text: `${MODEL_LIST}${privileges}, ` },
    {
      file: "docs/rules/README.md",
      place: "\n\n[guarantees.md]",
      text: `\n| [${folder}](${folder}.md) | ${many} |\n\n[guarantees.md]`,
    },
  ];
}

/**
 * The texts of the lists with the feature in them, by file. Throws for a list without the entry's place, before
 * anything is written. `read` returns a file's text.
 */
export function enteredLists(names: Names, read: (file: string) => string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { file, place, text } of listEntries(names)) {
    const source = texts.get(file) ?? read(file);
    if (!source.includes(place)) throw new Error(`${file} has no place ${JSON.stringify(place)}`);
    texts.set(
      file,
      source.replace(place, () => text),
    );
  }
  return texts;
}
