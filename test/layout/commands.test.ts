// One grammar for all functions that change things: the draft first, then what they work with, then what is asked of
// them, and who asks last.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SRC = new URL("../../src/", import.meta.url).pathname;
/** Types of what a command works with. */
const DEPENDENCY = String.raw`\b\w*(?:Deps|Writer|Rules|ProviderChange|PrivateTargets|PanelCertificates|Access|Outbox)\b`;

const functions = globSync("**/*.ts", { cwd: SRC })
  .filter((file) => !file.startsWith("web/"))
  .flatMap((file) =>
    [
      ...readFileSync(`${SRC}${file}`, "utf8").matchAll(
        /^(?:export )?(?:async )?function (\w+)[^(\n]*\(([^]*?)\)[:;] ?/gm,
      ),
    ].map(([, name = "", parameters = ""]) => ({ name: `${file}: ${name}`, parameters: parameters.trim() })),
  )
  .filter(({ parameters }) => /(?:^|,)\s*draft: Draft\b/.test(parameters));

const broken = (rule: (parameters: string) => boolean) =>
  functions.filter(({ parameters }) => !rule(parameters)).map(({ name }) => name);

test("the draft comes first", () => {
  expect(functions.length).toBeGreaterThan(70);
  expect(broken((parameters) => parameters.startsWith("draft: Draft"))).toEqual([]);
});

test("what a command works with comes after the draft, before what is asked", () => {
  const late = new RegExp(String.raw`(?:\bid: \w+|: \w+Body\b|\bkey: string)[^]*: (?:\w+<)?${DEPENDENCY}`);
  expect(late.test("draft: Draft, id: number, writer: Omit<WebhookWriter")).toBe(true);
  expect(broken((parameters) => !late.test(parameters))).toEqual([]);
});

test("who asks comes last", () => {
  expect(broken((parameters) => !/\borigin: Origin,\s*\S/.test(parameters))).toEqual([]);
});
