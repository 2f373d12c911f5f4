// The dictionaries of all languages, for tests that go through them.
import { en } from "../../../src/web/words/en.ts";
import { fa } from "../../../src/web/words/fa.ts";
import type { Language, Words } from "../../../src/web/words/language.ts";
import { ru } from "../../../src/web/words/ru.ts";
import { zh } from "../../../src/web/words/zh.ts";

export const DICTIONARIES: readonly {
  readonly language: Language;
  readonly words: Words;
}[] = [
  { language: "en", words: en },
  { language: "fa", words: fa },
  { language: "ru", words: ru },
  { language: "zh", words: zh },
];

export interface Text {
  /** `users.next.end`. */
  readonly key: string;
  readonly text: string;
}

/**
 * Every text of a dictionary. Texts with parameters get `⟨1⟩`, `⟨2⟩` … as values; counts are large, so that the plural
 * is used.
 */
export function textsOf(words: unknown, key = ""): Text[] {
  if (typeof words === "string") return [{ key, text: words }];
  if (typeof words === "function") return [{ key, text: marked(String(Reflect.apply(words, undefined, PLACES))) }];
  return Object.entries(words as object).flatMap(([name, each]) => textsOf(each, key === "" ? name : `${key}.${name}`));
}

/** Written as it is, a place, and a text; counted or formatted, a number. */
const PLACES = [75, 76, 77, 78].map((count, index): object =>
  Object.assign(Object(`⟨${index + 1}⟩`) as object, { valueOf: () => count }),
);

/** The numbers that stand where a language formats what it was given. */
function marked(text: string): string {
  return text.replaceAll(
    /7[5-8]|۷[۵-۸]/g,
    (digits) => `⟨${"5678".indexOf(digits.slice(-1)) + "۵۶۷۸".indexOf(digits.slice(-1)) + 2}⟩`,
  );
}
