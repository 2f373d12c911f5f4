// What a copy of a module of words keeps.
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { cut } from "../../../src/web/vite/cut-words.ts";

const cutTo = (code: string, names?: readonly string[], exported: readonly string[] = []): string =>
  cut(code, parseAst(code, { lang: "ts" }), () => exported, names).trim();

test("a copy has the exports that were asked for, and what they may need", () => {
  const code = `import { own } from "./isolate.ts";
const count = (n: number) => own(String(n));
export const titles = { one: count(1) };
export const page = { two: "2" };
export { actors } from "./actors/en.ts";`;
  expect(cutTo(code, ["titles"])).toBe(`import { own } from "./isolate.ts";
const count = (n: number) => own(String(n));
export const titles = { one: count(1) };`);
  expect(cutTo(code, ["actors"])).toContain('export { actors } from "./actors/en.ts?words=actors";');
});

test("of a list of features those stay that have the name", () => {
  const code = `export * as jobs from "../../jobs/words/fa.ts";`;
  expect(cutTo(code, ["titles"], ["page", "titles"])).toBe(
    `import { titles as jobs_titles } from "../../jobs/words/fa.ts?words=titles"; export const jobs = { titles: jobs_titles };`,
  );
  expect(cutTo(code, ["raised"], ["page", "titles"])).toBe("");
});

test("what is imported by name, at once or later, is a copy; types and a whole list stay", () => {
  const code = `import { titles } from "../catalogues/en.ts";
import type * as english from "../features/en.ts";
export const words = { titles };
export const later = { raised: async () => (await import("../catalogues/en.ts")).raised };`;
  expect(cutTo(code)).toBe(`import { titles } from "../catalogues/en.ts?words=titles";
import type * as english from "../features/en.ts";
export const words = { titles };
export const later = { raised: async () => (await import("../catalogues/en.ts?words=raised")).raised };`);
  expect(cutTo('import * as features from "../features/en.ts"; export const raised = features;', ["raised"])).toBe(
    'import * as features from "../features/en.ts?words=raised"; export const raised = features;',
  );
});
