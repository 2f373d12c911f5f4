// `npm run new-feature -- NAMES`: writes a new feature with one table, three routes, an event, a list page, words in
// four languages, tests and rules. It enters the feature where features are listed, and writes its migration and what
// is derived from the code. The result passes `npm run check`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatted } from "../formatted.ts";
import { namesOf, type Names } from "./names.ts";
import { serverFiles } from "./server.ts";
import { webFiles } from "./web.ts";

/** Writes a file as `npm run format` leaves it. */
async function write(file: string, text: string): Promise<void> {
  writeFileSync(file, await formatted(pathToFileURL(resolve(file)), text));
}

/** Replaces one place of a file. Throws where it is not there. */
async function enter(file: string, place: string, text: string): Promise<void> {
  const source = readFileSync(file, "utf8");
  if (!source.includes(place)) throw new Error(`${file} has no place ${JSON.stringify(place)}`);
  await write(file, source.replace(place, text));
}

async function enterIntoLists({ folder, many, variables, table, Type }: Names): Promise<void> {
  const panel = "src/panel/features.ts";
  await enter(
    panel,
    "import {\n  compose,",
    `import { feature as ${variables} } from "../${folder}/index.ts";\nimport {\n  compose,`,
  );
  await enter(panel, "  events,\n] as const;", `  events,\n  ${variables},\n] as const;`);
  const row = `  {
    path: "/${folder}",
    page: lazy(() => import("../${folder}/${Type}sPage.tsx")),
    title: (words) => words.titles.${variables},
    nav: { group: "system", scope: "settings:read", icon: IconSettings },
    asks: [{ scope: "settings:read", get: "/${folder}?limit=50&offset=0", bare: true }],
  },
];`;
  await enter("src/web/pages/system.tsx", "];", row);
  const privileges = `${table.toUpperCase()}_PRIVILEGES`;
  const models = "test/privilege/features.ts";
  await enter(
    models,
    "import type { Call }",
    `import { ${privileges} } from "../${folder}/privilege.ts";\nimport type { Call }`,
  );
  await enter(models, "PLAN_PRIVILEGES]", `PLAN_PRIVILEGES, ${privileges}]`);
  const rules = `| [${folder}](${folder}.md) | ${many} |\n\n[guarantees.md]`;
  await enter("docs/rules/README.md", "\n[guarantees.md]", rules);
}

/** Tests that write documents and code from the sources. */
const WRITING = [
  "test/openapi",
  "test/client/operations.test.ts",
  "test/events/catalogue.test.ts",
  "test/web/serving/page-table.test.ts",
];

function run(...rest: readonly string[]): void {
  const { status } = spawnSync("npm", rest, { stdio: "inherit", env: { ...process.env, UPDATE_DOCS: "1" } });
  if (status !== 0) throw new Error(`npm ${rest.join(" ")} failed`);
}

const names = namesOf(process.argv[2] ?? "");
const files = { ...serverFiles(names), ...webFiles(names) };
for (const path of Object.keys(files)) if (existsSync(path)) throw new Error(`${path} is there already`);
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  await write(path, text);
}
await enterIntoLists(names);
run("run", "--silent", "words");
run("run", "--silent", "migration", "--", names.folder);
run("test", "--", ...WRITING);
process.stdout.write(`
Written. Then, as CONTRIBUTING says ("A feature"):
  the words of src/web/${names.folder}/words/, each language in its own
  docs/rules/${names.folder}.md
  one line in PAGES of test/web/browser/pages.test.ts
  scopes of its own, if settings:read and settings:write do not fit
`);
