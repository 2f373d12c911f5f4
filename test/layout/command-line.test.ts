// Where the command line is: a command of `signalbox`, and what a feature does for one, is a file `*.cli.ts`.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const sources = globSync("src/**/*.ts", { cwd: root });
const commandLine = sources.filter((path) => path.endsWith(".cli.ts"));

/** The commands that people use, each with the file that it is loaded from. */
const loaded = [
  ...read("src/main.ts").matchAll(
    /^ {2}"?([\w-]+)"?: \{\n(?: {4}\w+: ".*\n)+ {4}load: .*\n.*await import\("\.\/([^"]+)"\)/gm,
  ),
].map(([, command = "", path = ""]) => ({ command, path }));

test("each command of `signalbox` that people use is a file of that name", () => {
  expect(loaded.length).toBeGreaterThan(8);
  for (const { command, path } of loaded) expect(path.split("/").at(-1)).toBe(`${command}.cli.ts`);
});

test("the table of commands in docs/operations.md has each command that people use", () => {
  const rows = read("docs/operations.md").match(/^\| `signalbox .*/gm) ?? [];
  const told = rows.flatMap((row) => [...row.matchAll(/`(?:signalbox )?([\w-]+)/g)].map(([, name = ""]) => name));
  expect(loaded.map(({ command }) => command).filter((command) => !told.includes(command))).toEqual([]);
});

test("what a feature does for a command is a file of that name, and no other file takes commands", () => {
  expect(commandLine).toEqual(expect.arrayContaining(["src/access/operators/admins.cli.ts", "src/panel/panel.cli.ts"]));
  // `*.commands.ts` is what changes rows.
  expect(sources.filter((path) => /\/commands?\.ts$/.test(path))).toEqual([]);
  const first = (path: string) => read(path).split("\n").slice(0, 2).join(" ");
  const others = sources.filter((path) => !path.endsWith(".cli.ts") && /^\/\/ `signalbox [a-z]/.test(first(path)));
  expect(others).toEqual([]);
});
