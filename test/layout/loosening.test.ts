// docs/security.md says of every variable and every setting what it loosens; all others are listed as loosening
// nothing. The tests that it names are there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SettingEntries } from "../../src/feature/index.ts";
import { PANEL } from "../../src/panel/features.ts";

const SETTINGS: SettingEntries = PANEL.settings;

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const [, section = ""] = /^## What loosens it\n(.*?)(?=^## |(?![^]))/ms.exec(read("docs/security.md")) ?? [];
const loosening = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
const harmless = read("test/layout/loosen-nothing.txt")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Every variable that the program's own files name. */
function variables(): string[] {
  const files = ["src", "bin"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
      .map((path) => `${folder}/${path}`),
  );
  return [...new Set(files.flatMap((path) => read(path).match(/SIGNALBOX_[A-Z][A-Z_]*[A-Z]/g) ?? []))];
}

// rule settings.list.8
test("each stands in the table or among those that loosen nothing, once, and there are no others", () => {
  const known = [...variables(), ...Object.keys(SETTINGS)];
  const documented = [...loosening, ...harmless];
  const missing = known.filter((name) => !documented.includes(name));
  expect(
    missing,
    "say in docs/security.md, What loosens it, what these open, or name them in test/layout/loosen-nothing.txt",
  ).toEqual([]);
  expect(documented.filter((name) => !known.includes(name))).toEqual([]);
  expect(documented.filter((name, index) => documented.indexOf(name) !== index)).toEqual([]);
});

// rule settings.list.8
test("a setting that loosens something is a main admin's", () => {
  const settings = loosening.filter((name) => Object.hasOwn(SETTINGS, name));
  expect(settings.length).toBeGreaterThan(8);
  expect(settings.filter((name) => SETTINGS[name]?.panelWide !== true)).toEqual([]);
});

test("what is said to hold a promise is there", () => {
  // A name without a folder stands beside the one before it.
  let folder = "";
  const named = [...read("docs/security.md").matchAll(/`((?:test\/)?[\w/-]+(?:\.test\.ts|\/))`/g)].map(
    ([, name = ""]) => {
      if (!name.startsWith("test/")) return `${folder}/${name}`;
      folder = name.slice(0, name.lastIndexOf("/"));
      return name;
    },
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});
