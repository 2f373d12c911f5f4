// Where the command line is: a command of `signalbox`, and what a feature does for one, is a file `*.cli.ts`.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const sources = globSync("src/**/*.ts", { cwd: root });
const commandLine = sources.filter((path) => path.endsWith(".cli.ts"));

test("each command of `signalbox` that people use is a file of that name", () => {
  const main = read("src/main.ts");
  const loaded = [
    ...main.matchAll(/^ {2}"?([\w-]+)"?: \{\n(?: {4}\w+: ".*\n)+ {4}load: .*\n.*await import\("\.\/([^"]+)"\)/gm),
  ];
  expect(loaded.length).toBeGreaterThan(8);
  for (const [, command = "", path = ""] of loaded) expect(path.split("/").at(-1)).toBe(`${command}.cli.ts`);
});

test("what a feature does for a command is a file of that name, and no other file takes commands", () => {
  expect(commandLine).toEqual(expect.arrayContaining(["src/access/operators/admins.cli.ts", "src/panel/panel.cli.ts"]));
  // `*.commands.ts` is what changes rows.
  expect(sources.filter((path) => /\/commands?\.ts$/.test(path))).toEqual([]);
  const first = (path: string) => read(path).split("\n").slice(0, 2).join(" ");
  const others = sources.filter((path) => !path.endsWith(".cli.ts") && /^\/\/ `signalbox [a-z]/.test(first(path)));
  expect(others).toEqual([]);
});
