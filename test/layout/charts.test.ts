// The pages in docs/charts/ and the drawings of the interface are what the charts say now.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { drawCharts, GEOMETRIES, PAGES, recordedWays } from "../../scripts/charts/files.ts";

const files = new Map<URL, string>();
for await (const drawn of drawCharts(recordedWays)) for (const [path, text] of drawn.files) files.set(path, text);
const pages = [...files].filter(([url]) => url.pathname.endsWith(".md") && !url.pathname.endsWith("README.md"));

test.each([
  ["docs/charts/", PAGES],
  ["src/web/chart/geometry/", GEOMETRIES],
])("%s holds what the charts give, and nothing else (else: npm run charts)", (_, folder) => {
  const expected = [...files.keys()]
    .filter(({ href }) => href.startsWith(folder.href))
    .map(({ pathname }) => basename(pathname));
  expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
});

test.each([...files].map(([url, text]) => [basename(url.pathname), url, text] as const))(
  "%s is current (else: npm run charts)",
  (_, url, text) => {
    expect(readFileSync(url, "utf8")).toBe(text);
  },
);

// rule inspector.chart.2
test.each(pages.map(([url, text]) => [basename(url.pathname), text] as const))(
  "in %s every state has a meaning",
  (_, text) => {
    const states = /## States\n\n.*\n.*\n((?:\|.*\n?)+)/.exec(text)?.[1]?.trim().split("\n") ?? [];
    expect(states.length).toBeGreaterThan(1);
    for (const row of states) expect(row).toMatch(/^\| `[\w.]+` \| [^|]*\w[^|]* \|/);
  },
);
