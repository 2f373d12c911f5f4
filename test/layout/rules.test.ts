// docs/rules: each rule names the tests that hold it, each of these cites the rule, and what is cited anywhere is
// there. So is what the glossary names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const FOLDER = "docs/rules/";
const PAGES = readdirSync(new URL(FOLDER, root))
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .map((name) => name.slice(0, -".md".length));

interface Rule {
  readonly id: string;
  readonly page: string;
  readonly text: string;
  readonly tests: readonly string[];
}

const pages = PAGES.map((page) => ({ page, text: read(`${FOLDER}${page}.md`) }));
const groups = pages.flatMap(({ text }) => [...text.matchAll(/^## ([a-z.-]+): \S/gm)].map(([, group = ""]) => group));
const rules: readonly Rule[] = pages.flatMap(({ page, text }) =>
  [...text.matchAll(/^- \*\*([^*]+)\*\* (.*\n(?: {2}.*\n)*)/gm)].map(([, id = "", body = ""]) => ({
    id,
    page,
    text: body,
    tests: [...body.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = ""]) => path),
  })),
);
const known = new Set(rules.map(({ id }) => id));

/** An id of a rule, wherever it stands; pages are known, so that no other text with dots is taken for one. */
const ID = new RegExp(String.raw`\b(?:${PAGES.join("|")})\.[a-z]+\.\d+\b`, "g");
/** A group that is cited instead: `rules users.move`, also in a list. */
const CITED = /\brules? ([a-z-]{2,}\.[a-z]{2,}(?:\.\d+)?(?:, [a-z-]{2,}\.[a-z]{2,}(?:\.\d+)?)*)(?!\w)/g;

const files = ["src", "machines", "test", "docs", "scripts", "bin", "examples"]
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(ts|tsx|mjs|js|md|yml|yaml|service|sh)$/.test(path))
      .map((path) => `${folder}/${path}`),
  )
  .concat(["README.md", "CONTRIBUTING.md"])
  .map((path) => ({ path, text: read(path) }));
const citing = files.filter(({ path }) => !path.startsWith(FOLDER));

test("each rule stands on its page, in its group, once, in order", () => {
  expect(rules.length).toBeGreaterThan(300);
  for (const { page, text } of pages) {
    const headings = text.split(/^## /m).slice(1);
    for (const part of headings) {
      const group = part.slice(0, part.indexOf(":"));
      expect(group.split(".")[0], `${page}: ${group}`).toBe(page);
      const ids = [...part.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, id = ""]) => id);
      expect(ids.length, group).toBeGreaterThan(0);
      const numbers = ids.map((id) => Number(id.slice(group.length + 1)));
      expect(ids, group).toEqual(numbers.map((number) => `${group}.${number}`));
      expect(numbers, group).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    }
  }
  expect(new Set(groups).size).toBe(groups.length);
  expect(known.size).toBe(rules.length);
});

test("each rule names tests that are there and cite it", () => {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const wrong = rules.flatMap(({ id, tests }) => {
    if (tests.length === 0) return [`${id} names no test`];
    return tests.flatMap((path) => {
      const text = texts.get(path);
      if (text === undefined) return [`${id}: ${path} is not there`];
      return text.match(ID)?.includes(id) ? [] : [`${id}: ${path} does not cite it`];
    });
  });
  expect(wrong).toEqual([]);
});

test("a test that cites a rule is named by it", () => {
  const tests = new Map(rules.map((rule) => [rule.id, rule.tests]));
  const wrong = citing
    .filter(({ path }) => path.endsWith(".test.ts") && path !== "test/layout/rules.test.ts")
    .flatMap(({ path, text }) =>
      (text.match(ID) ?? [])
        .filter((id) => known.has(id) && !tests.get(id)?.includes(path))
        .map((id) => `${id} does not name ${path}`),
    );
  expect(wrong).toEqual([]);
});

test("what is cited is there", () => {
  const wrong = citing.flatMap(({ path, text }) => [
    ...(text.match(ID) ?? []).filter((id) => !known.has(id)).map((id) => `${path}: ${id}`),
    ...[...text.matchAll(CITED)]
      .flatMap(([, list = ""]) => list.split(", "))
      .filter((name) => !known.has(name) && !groups.includes(name))
      .map((name) => `${path}: ${name}`),
  ]);
  expect(wrong).toEqual([]);
});

test("the list of pages names each page", () => {
  const named = [...read(`${FOLDER}README.md`).matchAll(/^\| \[([\w-]+)\]\(([\w-]+)\.md\)/gm)].map(
    ([, name, file]) => `${name} ${file}`,
  );
  expect(named.toSorted()).toEqual(PAGES.map((page) => `${page} ${page}`).toSorted());
});

test("the code that a page names is there", () => {
  const wrong = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/`((?:src|machines)\/[\w./-]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(new URL(path, root)))
      .map((path) => `${page}: ${path}`),
  );
  expect(wrong).toEqual([]);
});

test("each word of the glossary says where the thing lives, and it is there", () => {
  const words = read("docs/glossary.md").match(/^- \*\*.*\n(?: {2}.*\n)*/gm) ?? [];
  expect(words.length).toBeGreaterThan(40);
  const wrong = words.flatMap((word) => {
    const paths = [...word.matchAll(/`((?:src|machines)\/[\w./-]+|oxlint\.config\.ts)`/g)].map(([, path = ""]) => path);
    return paths.length === 0 ? [word] : paths.filter((path) => !existsSync(new URL(path, root)));
  });
  expect(wrong).toEqual([]);
});

test("no file cites a document that is not in the repository", () => {
  const foreign =
    /\b(decisions?|documents?|settings rules?|common rules?) \d|\bnotes \d+\.\d|\bdocument (one|two)\b|\(rules? \d|\u00a7/i;
  const wrong = files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (foreign.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(wrong).toEqual([]);
});
