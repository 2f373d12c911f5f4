// Comments and documents are in plain English, so that a reader of a second language understands them at once.
// This holds only the worst phrases; CONTRIBUTING ("How we write") shows the rest by example.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { namesOf } from "../../scripts/new-feature/names.ts";
import { serverFiles } from "../../scripts/new-feature/server.ts";
import { webFiles } from "../../scripts/new-feature/web.ts";

const BANNED = [
  "come what may",
  "as good as",
  "taken leave",
  "takes leave",
  "thereof",
  "whom",
  "anew",
  "of then",
  "is had",
  "for good",
  "in its place",
  "put together",
  "of one's own",
  "shall",
  "lest",
  "henceforth",
  "save for",
] as const;
const banned = new RegExp(`\\b(${BANNED.join("|")})\\b`, "i");

const root = new URL("../../", import.meta.url);
const files = ["src", "machines", "test", "docs", "scripts", "bin", "examples"]
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  )
  .concat(["README.md", "CONTRIBUTING.md"])
  .filter((path) => /\.(ts|tsx|mjs|md)$/.test(path));

/** Prose in paragraphs: a phrase may be broken over two lines. The table of examples in CONTRIBUTING is left out. */
const proseOf = (path: string): string => {
  const lines = readFileSync(new URL(path, root), "utf8").split("\n");
  const prose = path.endsWith(".md")
    ? lines.filter((line) => path !== "CONTRIBUTING.md" || !line.startsWith("|"))
    : lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).map((line) => line.replace(/^\s*(\/\/|\/?\*+)/, ""));
  return prose.map((line) => line.trim()).join(" ");
};

test("comments and documents use none of the phrases that a reader of a second language stumbles over", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((path) => {
    const match = banned.exec(proseOf(path));
    return match === null ? [] : [`${path}: ${match[0]}`];
  });
  expect(found).toEqual([]);
});

// A comment names its subject first: "Words that every visit needs", not "Of every visit".
const HARD_START = /^(?:Of|Who|Whoever|Whose|Whom|What of|Those (?:of|that|who))\b/;

/** The first line of each comment in a file's text. */
const startsIn = (source: string): string[] => {
  const lines = source.split("\n").map((line) => line.trim());
  return lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? "";
    const text = /^(?:\/\/|\/\*\*|\*) (.*)/.exec(line)?.[1];
    const begins = line.startsWith("/**") || (line.startsWith("//") ? !before.startsWith("//") : before === "/**");
    return text !== undefined && begins ? [text] : [];
  });
};

test("comments begin with a subject or a verb, those of a new feature's skeleton too", () => {
  const names = namesOf("maintenance-notes");
  const skeleton = Object.entries({ ...serverFiles(names), ...webFiles(names) });
  const code = files
    .filter((path) => !path.endsWith(".md") && path !== "src/client/operations.ts")
    .map((path) => [path, readFileSync(new URL(path, root), "utf8")] as const);
  const found = [...code, ...skeleton].flatMap(([path, text]) =>
    startsIn(text)
      .filter((start) => HARD_START.test(start))
      .map((start) => `${path}: ${start}`),
  );
  expect(found, `a comment names its subject first, so none begins with ${HARD_START.source}`).toEqual([]);
});
