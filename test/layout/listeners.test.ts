// The table of docs/architecture.md that says who listens to commits, against the code: every listener is in it, and
// each hears of what its row names.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");

const sources = globSync("src/**/*.ts", { cwd: root }).filter((file) => !/^src\/(web|db)\//.test(file));
const listening = sources.filter((file) => read(file).includes(".onCommit("));

/** The end of a path, as the table names a file, and the constants of tables and facts that it hears of. */
const rows = (/### Who listens to commits\n(.*?)\n##/s.exec(read("docs/architecture.md"))?.[1] ?? "")
  .split("\n")
  .map((line) => /^\| `([\w/.-]+\.ts)` +\| (.*?) +\|/.exec(line))
  .filter((found) => found !== null)
  .map(([, file = "", hears = ""]) => ({
    file,
    hears: [...hears.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  }));
const filesOf = (end: string) => listening.filter((file) => file.endsWith(`/${end}`));

test("every file that listens to commits has one row, and every row such a file", () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.map(({ file }) => [file, filesOf(file).length])).toEqual(rows.map(({ file }) => [file, 1]));
  expect(listening.filter((path) => rows.filter(({ file }) => path.endsWith(`/${file}`)).length !== 1)).toEqual([]);
});

// A listener that passes a commit on, or gets its tables from its options, names them elsewhere in the sources; that
// the rest of a row is true, its reader sees.
test("what a row says that it hears of is a table or a fact that there is", () => {
  const defined = sources.map(read).join("\n");
  for (const { file, hears } of rows) {
    expect(hears.length, file).toBeGreaterThan(0);
    for (const name of hears) expect(defined, `${file}: ${name}`).toMatch(new RegExp(`const ${name}\\b`));
  }
});

test("a listener that names a table or a fact itself has it in its row", () => {
  for (const { file, hears } of rows) {
    const [path = ""] = filesOf(file);
    const source = read(path);
    const facts = [...source.matchAll(/facts\.(?:has|of)\((\w+)\)/g)].map(([, name = ""]) => name);
    const tables = [...source.matchAll(/table [!=]== (\w+Rows)\.name/g)].map(([, name = ""]) => name);
    const named = [...facts, ...tables].filter((name) => /Rows$|^[A-Z_]+$/.test(name));
    expect(hears, file).toEqual(expect.arrayContaining(named));
  }
});
