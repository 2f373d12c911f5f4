// The tables of the interface's pages: the server knows their paths, and each key of the navigation leads to one page.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PAGE_SEGMENTS } from "../../../src/http/index.ts";
import { expectCurrent } from "../../generated-file.ts";

const FOLDER = new URL("../../../src/web/pages/", import.meta.url);
const SERVER = new URL("../../../src/http/interface/page-paths.ts", import.meta.url);

/** The sources of all tables of pages. */
const tables = readdirSync(FOLDER)
  .map((name) => readFileSync(new URL(name, FOLDER), "utf8"))
  .join("\n");

test("the server knows the pages that the interface has (else: UPDATE_DOCS=1)", async () => {
  const found = [...tables.matchAll(/\bpath: "\/(api\/docs|[^/"]*)/g)].map(([, segment = ""]) => segment);
  expect(found.length).toBeGreaterThan(0);
  // Listed segments keep their order; a segment without a page goes.
  const listed = PAGE_SEGMENTS.filter((segment) => found.includes(segment));
  const segments = new Set([...listed, ...found.filter((segment) => segment !== "")]);
  const list = `PAGE_SEGMENTS = [${[...segments].map((segment) => JSON.stringify(segment)).join(", ")},\n] as const;`;
  const source = readFileSync(SERVER, "utf8");
  expect(source).toMatch(/PAGE_SEGMENTS = \[[^\]]*\] as const;/);
  await expectCurrent(SERVER, source.replace(/PAGE_SEGMENTS = \[[^\]]*\] as const;/, list));
});

test("no key of the navigation is another's, or begins it", () => {
  const keys = [...tables.matchAll(/\bkey: "([^"]+)"/g)].map(([, key = ""]) => key);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !/^[a-z](?: [a-z])?$/.test(key))).toEqual([]);
  const starts = (key: string, other: string) => key === other || other.startsWith(`${key} `);
  expect(keys.filter((key, index) => keys.some((other, at) => at !== index && starts(key, other)))).toEqual([]);
});
