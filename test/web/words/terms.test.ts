// One thing has one word, in every language: the texts keep to docs/words.md.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DICTIONARIES, textsOf } from "./dictionaries.ts";

interface Term {
  readonly term: string;
  /** Beginnings of the word in its inflections. */
  readonly begins: readonly string[];
  readonly refused: readonly string[];
}

const HEADINGS = { fa: "Persian", ru: "Russian", zh: "Chinese" } as const;
type Translated = keyof typeof HEADINGS;

const document = readFileSync(new URL("../../../docs/words.md", import.meta.url), "utf8");

function rowsOf(heading: string): readonly (readonly string[])[] {
  const section = document.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const listed = (cell: string): string[] => cell.split(/[,،]/).flatMap((each) => each.trim() || []);

function termsOf(language: Translated): Term[] {
  return rowsOf(HEADINGS[language]).map(([term = "", , begins = "", refused = ""]) => ({
    term,
    begins: listed(begins),
    refused: listed(refused),
  }));
}

const english = new Map(textsOf(DICTIONARIES[0]?.words).map(({ key, text }) => [key, text]));
const dictionaries = DICTIONARIES.flatMap(({ language, words }) =>
  language === "en" ? [] : [{ language, texts: textsOf(words), terms: termsOf(language) }],
);

test("every language has a word for every term", () => {
  const terms = rowsOf("English").map(([term]) => term);
  expect(terms.length).toBeGreaterThan(20);
  for (const { terms: own } of dictionaries) expect(own.map(({ term }) => term)).toEqual(terms);
});

test.each(dictionaries)("$language says none of the words that are refused", ({ texts, terms }) => {
  const refused = terms.flatMap((term) => term.refused);
  const pattern = new RegExp(`(?<![\\p{L}\\u200c])(?:${refused.join("|")})`, "iu");
  // Chinese has no spaces: a word may begin anywhere.
  const anywhere = new RegExp(refused.join("|"), "iu");
  const wrong = texts.filter(({ text }) => (/[\u4e00-\u9fff]/.test(text) ? anywhere : pattern).test(text));
  expect(wrong).toEqual([]);
});

/** A label is too short to say a thing without naming it. */
const LABEL_WORDS = 2;

/** Where English has the same word for another thing: an identity that is joined to an account. */
const OTHERWISE = /^me\.links\./;

test.each(dictionaries)("$language names in a label what English names", ({ texts, terms }) => {
  const wrong = texts.flatMap(({ key, text }) => {
    const label = english.get(key) ?? "";
    if (label.split(/\s+/).length > LABEL_WORDS || OTHERWISE.test(key)) return [];
    const lost = terms.filter(
      ({ term, begins }) =>
        new RegExp(`\\b${term}s?\\b`, "i").test(label) &&
        !begins.some((begin) => text.toLowerCase().includes(begin.toLowerCase())),
    );
    return lost.map(({ term }) => ({ key, label, term, text }));
  });
  expect(wrong).toEqual([]);
});
