// What programs read is a code, and every code has words: the compiler refuses a dictionary that lacks one, and no
// schema refuses with a bare sentence.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RULES, type RuleWords } from "../../src/http/refusals/rule.schema.ts";
import { rule } from "../../src/http/index.ts";
import type { CauseWords } from "../../src/fleet/records/cause.schema.ts";
import { cause } from "../../src/fleet/link/link-failure.ts";
import { messages } from "../../src/web/words/messages/en.ts";
import type { NoticeWords } from "../../src/fleet/records/notice.schema.ts";
import { notices } from "../../src/web/words/notices/en.ts";
import { rules as en } from "../../src/web/words/parts/refusals/rules/en.ts";
import { rules as fa } from "../../src/web/words/parts/refusals/rules/fa.ts";
import { rules as ru } from "../../src/web/words/parts/refusals/rules/ru.ts";
import { rules as zh } from "../../src/web/words/parts/refusals/rules/zh.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));

test("a rule without words does not compile, nor one with other values", () => {
  const { host: _, ...rest } = en;
  // @ts-expect-error: the words of `host` are missing
  const lacking: RuleWords = rest;
  // @ts-expect-error: there is no such rule
  const unknown = () => rule("no_such_rule");
  // @ts-expect-error: `between` has two bounds
  const unmeasured = () => rule("between", 1);
  expect([lacking, unknown, unmeasured]).toHaveLength(3);
  for (const words of [en, fa, ru, zh]) expect(Object.keys(words).toSorted()).toEqual(Object.keys(RULES).toSorted());
});

test("a cause for which a node does not serve, without words, does not compile", () => {
  const { silent: _, ...rest } = messages;
  // @ts-expect-error: the words of `silent` are missing
  const lacking: CauseWords = rest;
  // @ts-expect-error: the values of `silent` are a number
  const wrong = () => cause("silent", "3");
  expect([lacking, wrong]).toHaveLength(2);
});

test("a notice without words does not compile", () => {
  const { relapsing: _, ...rest } = notices;
  // @ts-expect-error: the words of `relapsing` are missing
  const lacking: NoticeWords = rest;
  expect(lacking).toBeDefined();
});

test("every rule is broken somewhere", () => {
  const code = sources("src/**/*.ts")
    .filter(({ file }) => !file.startsWith("src/web/") && !file.endsWith("rule.schema.ts"))
    .map(({ text }) => text)
    .join("\n");
  expect(Object.keys(RULES).filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});

/** The arguments of each call of `name` in a text. */
function callsOf(name: string, text: string): string[] {
  return text
    .split(name)
    .slice(1)
    .map((rest) => {
      let depth = 1;
      let end = 0;
      for (; depth > 0 && end < rest.length; end++) {
        if (rest[end] === "(") depth++;
        if (rest[end] === ")") depth--;
      }
      return rest.slice(0, end);
    });
}

test("no schema of the API refuses with a sentence alone", () => {
  const rooms = sources("src/{http,access,accounts,pool,certificates,fleet,events,system}/**/*.ts");
  const bare = rooms.flatMap(({ file, text }) =>
    [".refine(", ".superRefine(", ".regex(", "addIssue("]
      .flatMap((name) => callsOf(name, text))
      .filter((call) => /["`][^"`\n]* [^"`\n]*["`]/.test(call) && !/rule|fault|broken/i.test(call))
      .map((call) => `${file}: ${call}`),
  );
  expect(bare).toEqual([]);
});
