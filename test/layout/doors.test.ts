// A room of `src/` has two doors: `index.ts` has what other rooms use, and `testing.ts` what tests use besides. Neither
// has more, so that a door says what others depend on.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const NAMES = /^(import|export)(?: type)? \{([^}]*)\} from "(\.[^"]+)";/gm;
const AWAITED = /const \{([^}]*)\} = await import\("(\.[^"]+)"\)/g;
/** The client is a package of its own: who uses it is not here. */
const PUBLISHED = new Set(["client"]);

const namesOf = (list: string) =>
  list
    .split(",")
    .map((name) =>
      name
        .replace(/\/\/.*/g, "")
        .trim()
        .replace(/^type /, ""),
    )
    .filter((name) => name !== "");

/** Names that files of `src` outside a room, and that tests, import from a door, by its path. */
const used = { src: new Map<string, Set<string>>(), test: new Map<string, Set<string>>() };
for (const file of globSync(["src/**/*.{ts,tsx}", "test/**/*.{ts,tsx}", "scripts/**/*.ts"], { cwd: ROOT })) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const imported = [
    ...[...text.matchAll(NAMES)].map(([, , list = "", from = ""]) => ({ list, from })),
    ...[...text.matchAll(AWAITED)].map(([, list = "", from = ""]) => ({ list: list.replaceAll(":", " as "), from })),
  ];
  for (const { list, from } of imported) {
    const door = resolve(ROOT, file, "..", from).slice(ROOT.length);
    const [, room = ""] = /^src\/([\w-]+)\/(?:index|testing)\.ts$/.exec(door) ?? [];
    if (room === "" || file.startsWith(`src/${room}/`)) continue;
    const by = used[file.startsWith("test/") ? "test" : "src"];
    const names = by.get(door) ?? new Set<string>();
    for (const name of namesOf(list)) names.add(name.replace(/ as .*/, ""));
    by.set(door, names);
  }
}

/** Names that a door takes from files of its room by name. What it makes itself, and `export *`, is not looked at. */
function exportsOf(door: string): string[] {
  const text = readFileSync(join(ROOT, door), "utf8");
  return [...text.matchAll(NAMES)].flatMap(([, verb, list = ""]) =>
    verb === "export" ? namesOf(list).map((name) => name.replace(/.* as /, "")) : [],
  );
}

const rooms = readdirSync(join(ROOT, "src")).filter(
  (room) => existsSync(join(ROOT, "src", room, "index.ts")) && !PUBLISHED.has(room),
);

describe.each(rooms)("the doors of src/%s", (room) => {
  test("index.ts has what another room uses", () => {
    const door = `src/${room}/index.ts`;
    expect(exportsOf(door).filter((name) => !used.src.get(door)?.has(name))).toEqual([]);
  });

  const testing = `src/${room}/testing.ts`;
  if (existsSync(join(ROOT, testing)))
    test("testing.ts has what a test uses, and nothing else of src uses it", () => {
      expect(exportsOf(testing).filter((name) => !used.test.get(testing)?.has(name))).toEqual([]);
      expect(used.src.get(testing)).toBeUndefined();
    });
});

test("the doors are found", () => {
  expect(rooms.length).toBeGreaterThan(15);
  expect(used.src.size).toBeGreaterThan(12);
  expect(exportsOf("src/http/index.ts").length).toBeGreaterThan(40);
});
