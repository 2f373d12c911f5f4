// Comments and documents fit into 120 columns, like formatted code, so that two files fit next to each other. What
// cannot be broken may be longer: a string, a row of a table, an address, a command.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const COLUMNS = 120;
const root = new URL("../../", import.meta.url);
const files = ["src", "machines", "test", "docs", "scripts", "bin", "examples"]
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  )
  .concat(["README.md", "CONTRIBUTING.md"])
  .filter((path) => /\.(ts|tsx|mjs|md)$/.test(path) && !path.startsWith("docs/charts/"));

/** The lines of prose: comments of code, and of a document what is neither code, table, heading nor one long word. */
const proseOf = (path: string): readonly string[] => {
  const lines = readFileSync(new URL(path, root), "utf8").split("\n");
  if (!path.endsWith(".md")) return lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line));
  let code = false;
  return lines.filter((line) => {
    if (line.trim().startsWith("```")) code = !code;
    return !code && !/^\s*(\||#|<|!\[)/.test(line) && !/`[^`]{60,}`|\]\([^)]{60,}\)|\S{90,}/.test(line);
  });
};

test("comments and documents fit into 120 columns", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const long = files.flatMap((path) =>
    proseOf(path)
      .filter((line) => line.length > COLUMNS)
      .map((line) => `${path}: ${line}`),
  );
  expect(long).toEqual([]);
});
