// Checks who can open the pages that make or change something, whatever way leads there: a link, the palette, the plus
// of phones, or a typed address.
import { expect, test } from "vitest";
import { barOf, type Page } from "../../../src/web/page.ts";

// The table's own modules have elements of pages in them, which only the interface's compiler reads.
const TABLE = new URL("../../../src/web/pages.ts", import.meta.url).href;
const { PAGES } = (await import(TABLE)) as { readonly PAGES: readonly Page[] };

const PAGES_THAT_WRITE = PAGES.filter(
  ({ path, creates }) => creates === true || /\/(?:new|generate|import)$/.test(path),
);
const everything = () => true;
const without = (scope: string) => (asked: string) => asked !== scope;

/** The pages that stay closed to somebody, each with the scope that it needs; "account": whatever the scopes are. */
function closed(can: (scope: string) => boolean, base: "sudo" | "admin" | "resale", usersReadOnly = false) {
  return Object.fromEntries(
    PAGES_THAT_WRITE.flatMap((page) => {
      const bar = barOf(page, can, { base, usersReadOnly });
      return bar ? [[page.path, bar.needs ?? "account"]] : [];
    }),
  );
}

test("every page of something new says that it makes it", () => {
  const made = PAGES.filter(({ path }) => path.endsWith("/new")).map(({ path }) => path);
  expect(made.length).toBeGreaterThan(10);
  expect(PAGES.filter(({ creates }) => creates === true).map(({ path }) => path)).toEqual(made);
});

test.each([
  ["a main admin", closed(everything, "sudo"), {}],
  ["a reseller", closed(everything, "resale"), { "/plans/new": "account" }],
  [
    "a reseller that only reads its users",
    closed(everything, "resale", true),
    { "/users/new": "account", "/users/generate": "account", "/users/import": "account", "/plans/new": "account" },
  ],
  [
    "an admin without users:write",
    closed(without("users:write"), "admin"),
    {
      "/users/new": "users:write",
      "/users/generate": "users:write",
      "/users/import": "users:write",
      "/plans/new": "users:write",
    },
  ],
  [
    "an admin without users:read",
    closed(without("users:read"), "admin"),
    { "/nodes/new": "users:read", "/fronts/new": "users:read" },
  ],
])("%s", (_who, found, expected) => {
  expect(found).toEqual(expected);
});
