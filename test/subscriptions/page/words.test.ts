// The page's words: every language has all of them, and each is said in it.
import { expect, test } from "vitest";
import { LANGUAGE_CODES } from "../../../src/subscriptions/page/language.ts";
import { PAGE_WORDS } from "../../../src/subscriptions/page/words/index.ts";

/** `status.active` to its text; functions are called with marks for their values. */
function texts(words: object, path = ""): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]: [string, unknown]): [string, string][] => {
      const here = `${path}${key}`;
      if (typeof value === "function") return [[here, String(value("«1»", "«2»"))]];
      if (typeof value === "object" && value !== null) return [...texts(value, `${here}.`)];
      return [[here, String(value)]];
    }),
  );
}

// rule subscriptions.page.4
test("no language misses a word, repeats the English one or loses a value", () => {
  const english = texts(PAGE_WORDS.en);
  for (const code of LANGUAGE_CODES) {
    const own = texts(PAGE_WORDS[code]);
    expect([...own.keys()], code).toEqual([...english.keys()]);
    for (const [key, text] of own) {
      expect(text.trim(), `${code} ${key}`).not.toBe("");
      if (code !== "en") expect(text, `${code} ${key}`).not.toBe(english.get(key));
      const marks = (said: string) => (said.match(/«\d»/g) ?? []).toSorted();
      expect(marks(text), `${code} ${key}`).toEqual(marks(english.get(key) ?? ""));
    }
  }
});
