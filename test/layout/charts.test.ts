// The pages in docs/charts/ are what the charts say now.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chartPages } from "../../scripts/charts.ts";

const folder = new URL("../../docs/charts/", import.meta.url);
const pages = await chartPages();

test("every chart has a page, and every page a chart (else: npm run charts)", () => {
  expect(readdirSync(folder).toSorted()).toEqual([...pages.keys()].toSorted());
});

test.each([...pages])("docs/charts/%s is current (else: npm run charts)", (file, text) => {
  expect(readFileSync(new URL(file, folder), "utf8")).toBe(text);
});

test.each([...pages])("in %s every state has a meaning", (_file, text) => {
  const states = /## States\n\n.*\n.*\n((?:\|.*\n?)+)/.exec(text)?.[1]?.trim().split("\n") ?? [];
  expect(states.length).toBeGreaterThan(1);
  for (const row of states) expect(row).toMatch(/^\| `[\w.]+` \| .*\w.* \|$/);
});
