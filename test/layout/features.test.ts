// Features that need each other's answers ask through small interfaces of their own, and the panel brings them
// together: no folder of src/ imports another in a circle, and none within the larger rooms.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const SRC = join(ROOT, "src");
const ENGINES = join(ROOT, "src/agent/engines");

/**
 * Places whose folders import each other in no circle, of values or of types. Files directly in a place are no folder.
 */
const PLACES = [
  "src",
  "src/access",
  "src/accounts",
  "src/agent",
  "src/agent/engines",
  "src/agent/engines/process",
  "src/fleet",
  "src/http",
  "src/pool",
  "src/subscriptions",
  "src/web",
];

/**
 * The words of features lie in their pages' folders, and `words/` lists them all: they are data of `words/`, in
 * whichever folder they lie.
 */
const LISTED_WORDS = /^[\w-]+\/words\/|^words\/(?:features|pages|catalogues)\//;

/** For each folder within `root` the folders there that its files import from, types too, with one file that does. */
function importsOfFolders(root: string): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const [folder = "", ...inside] = path.split("/");
    if (inside.length === 0 || !/\.tsx?$/.test(path) || LISTED_WORDS.test(path)) continue;
    for (const [, target = ""] of readFileSync(join(root, path), "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      const [other = "", ...within] = relative(root, resolve(root, path, "..", target)).split("/");
      if (other === folder || other === ".." || within.length === 0) continue;
      if (LISTED_WORDS.test(join(other, ...within))) continue;
      found.set(folder, (found.get(folder) ?? new Map<string, string>()).set(other, path));
    }
  }
  return found;
}

const imports = importsOfFolders(SRC);

test.each([
  ["access", "events"],
  ["accounts", "fleet"],
])("%s and %s know nothing of each other", (one, other) => {
  expect(imports.get(one)?.size).toBeGreaterThan(2);
  expect(imports.get(other)?.size).toBeGreaterThan(2);
  expect(imports.get(one)?.get(other)).toBeUndefined();
  expect(imports.get(other)?.get(one)).toBeUndefined();
});

test.each(PLACES)("no folders of %s import each other in a circle", (place) => {
  const found = importsOfFolders(join(ROOT, place));
  expect(found.size).toBeGreaterThan(0);
  const circles: string[] = [];
  const walk = (folder: string, way: readonly string[]): void => {
    if (way.includes(folder)) circles.push([...way.slice(way.indexOf(folder)), folder].join(" > "));
    else for (const other of found.get(folder)?.keys() ?? []) walk(other, [...way, folder]);
  };
  for (const folder of found.keys()) walk(folder, []);
  expect([...new Set(circles)]).toEqual([]);
});

test("what drives engines that are processes knows their contract and the port map, and no other engine", () => {
  const known = importsOfFolders(ENGINES).get("process") ?? new Map<string, string>();
  expect([...known.keys()].filter((folder) => folder !== ".." && folder !== "").toSorted()).toEqual([
    "contract",
    "portmap",
  ]);
});
