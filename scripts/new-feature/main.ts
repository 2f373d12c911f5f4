// `npm run new-feature -- NAMES`: writes a new feature with one table, three routes, an event, a list page, words in
// four languages, tests and rules. It enters the feature where features are listed, and writes its migration and what
// is derived from the code. The result passes `npm run check`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatted } from "../formatted.ts";
import { enteredLists } from "./lists.ts";
import { namesOf } from "./names.ts";
import { serverFiles } from "./server.ts";
import { webFiles } from "./web.ts";

/** Writes a file as `npm run format` leaves it. */
async function write(file: string, text: string): Promise<void> {
  writeFileSync(file, await formatted(pathToFileURL(resolve(file)), text));
}

/** Tests that write documents and code from the sources; each change of routes, events or pages needs them again. */
const WRITING = [
  "test/openapi",
  "test/client/operations.test.ts",
  "test/events/catalogue.test.ts",
  "test/web/serving/page-table.test.ts",
];

function run(...rest: readonly string[]): void {
  const { status } = spawnSync("npm", rest, { stdio: "inherit", env: { ...process.env, UPDATE_DOCS: "1" } });
  if (status !== 0)
    throw new Error(`npm ${rest.join(" ")} failed: the files are written, so repeat it with UPDATE_DOCS=1`);
}

const names = namesOf(process.argv[2] ?? "");
const files = { ...serverFiles(names), ...webFiles(names) };
for (const path of Object.keys(files)) if (existsSync(path)) throw new Error(`${path} is there already`);
const lists = enteredLists(names, (file) => readFileSync(file, "utf8"));
for (const [path, text] of [...Object.entries(files), ...lists]) {
  mkdirSync(dirname(path), { recursive: true });
  await write(path, text);
}
run("run", "--silent", "words");
run("run", "--silent", "migration", "--", names.folder);
run("test", "--", ...WRITING);
process.stdout.write(`
Written. Then, as CONTRIBUTING says ("A feature"):
  the words of src/web/${names.folder}/words/, each language in its own
  docs/rules/${names.folder}.md
  one line in PAGES of test/web/browser/pages.test.ts
  scopes of its own, if settings:read and settings:write do not fit
  an icon of its own in src/web/pages/system.tsx
After changes of the table, write the migration again ("A column or table"). After changes of routes, events or pages:
  UPDATE_DOCS=1 npm test -- ${WRITING.join(" ")}
`);
