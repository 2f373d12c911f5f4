// Where a new feature is entered: the lists of features, pages, models of permissions and rules.
import type { Names } from "./names.ts";

/** `place` is replaced by `text` in `file`. */
export interface Entry {
  readonly file: string;
  readonly place: string;
  readonly text: string;
}

const PANEL = "src/panel/features.ts";
const MODELS = "test/privilege/features.ts";

export function listEntries({ folder, many, variables, table, Type }: Names): readonly Entry[] {
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
    { file: PANEL, place: "  events,\n] as const;", text: `  events,\n  ${variables},\n] as const;` },
    { file: "src/web/pages/system.tsx", place: "];", text: row },
    { file: MODELS, place: "import type { Call }", text: `${modelled}import type { Call }` },
    { file: MODELS, place: "PLAN_PRIVILEGES]", text: `PLAN_PRIVILEGES, ${privileges}]` },
    {
      file: "docs/rules/README.md",
      place: "\n\n[guarantees.md]",
      text: `\n| [${folder}](${folder}.md) | ${many} |\n\n[guarantees.md]`,
    },
  ];
}
