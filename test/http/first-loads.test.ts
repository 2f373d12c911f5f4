// What the page tells its browser to fetch at once: by the page that was asked for, the reader's language, and what the
// caller may read.
import { describe, expect, test } from "vitest";
import type { Caller } from "../../src/http/caller.ts";
import { firstLinks, type FirstLoads, type FirstVisit } from "../../src/http/interface/first-loads.ts";
import type { Scope } from "../../src/http/scopes.ts";

const loads: FirstLoads = {
  languages: { en: ["assets/en.js"], fa: ["assets/fa.js"] },
  words: { chart: { en: ["assets/chart-en.js"], fa: ["assets/chart-fa.js"] } },
  pages: [
    { path: "/login", open: true, files: ["assets/login.js"], words: [], asks: [], also: [] },
    {
      path: "/inspect",
      open: false,
      files: ["assets/fleet.js", "assets/fleet.css"],
      words: ["chart"],
      asks: [{ scope: "stats:read", get: "/machines?limit=100" }],
      also: ["chart/:kind.json"],
    },
    {
      path: "/users",
      open: false,
      files: ["assets/users.js"],
      words: [],
      asks: [
        { scope: "users:read", get: "/users?limit=50&offset=0", bare: true },
        { scope: "users:read", get: "/users/summary" },
      ],
      also: [],
    },
    {
      path: "/inspect/:kind/:id",
      open: false,
      files: ["assets/actor.js"],
      words: [],
      asks: [{ scope: "stats:read", get: "/actors/:kind/:id" }],
      also: ["chart/:kind.json"],
    },
  ],
  also: { "chart/node.json": ["assets/node.js"], "chart/user.json": ["assets/user.js"] },
};

const caller = (scopes: readonly Scope[], base: Caller["base"] = "sudo"): Caller => ({
  via: "session",
  adminId: 1,
  username: "root",
  role: "root",
  base,
  owner: true,
  scopes: new Set(scopes),
  sessionId: 1,
  tokenId: 0,
  rateLimit: 0,
  twoFactor: false,
  confirmedUntil: 0,
  expired: false,
});
const reader = caller(["stats:read"]);

/** The addresses that are named for a visit, in order. */
const named = (visit: Partial<FirstVisit>) =>
  [
    ...firstLinks(loads, {
      path: "/",
      query: false,
      language: undefined,
      accepted: "",
      caller: undefined,
      ...visit,
    }).matchAll(/href="\.\/([^"]*)"/g),
  ].map(([, href]) => href);

test("a page's files, styles and drawings, with the answers before them", () => {
  expect(named({ path: "/inspect", caller: reader })).toEqual([
    "api/v1/me",
    "api/v1/me/ui",
    "api/v1/machines?limit=100",
    "assets/en.js",
    "assets/fleet.js",
    "assets/fleet.css",
    "assets/chart-en.js",
    "assets/node.js",
    "assets/user.js",
  ]);
  expect(
    firstLinks(loads, { path: "/inspect", query: false, language: undefined, accepted: "", caller: undefined }),
  ).toContain('<link rel="stylesheet" crossorigin href="./assets/fleet.css">');
});

test("parts of the address stand in what is asked and drawn", () => {
  expect(named({ path: "/inspect/node/27", caller: reader })).toEqual([
    "api/v1/me",
    "api/v1/me/ui",
    "api/v1/actors/node/27",
    "assets/en.js",
    "assets/actor.js",
    "assets/node.js",
  ]);
});

test("the first page of a list is asked for only where the address names no other", () => {
  const asked = (query: boolean) => {
    const visit = { path: "/users", query, caller: caller(["users:read"]) };
    return named(visit).filter((href) => href?.startsWith("api/v1/users"));
  };
  expect(asked(false)).toEqual(["api/v1/users?limit=50&amp;offset=0", "api/v1/users/summary"]);
  expect(asked(true)).toEqual(["api/v1/users/summary"]);
});

test.each(["/inspect/node/%22%3E%3Cscript%3E", '/inspect/node/"><script>', "/inspect/../..", "/inspect/node/a:b"])(
  "%s brings nothing of the address into the page",
  (path) => {
    const links = firstLinks(loads, { path, query: false, language: undefined, accepted: "", caller: reader });
    expect(links).not.toMatch(/script>|%3C|\.\.\/|actors/i);
  },
);

describe("who is told to ask", () => {
  test.each([
    ["nobody without a session", undefined, []],
    ["for oneself alone without the scope", caller([]), ["api/v1/me", "api/v1/me/ui"]],
    [
      "for oneself alone, a reseller on a page of the panel",
      caller(["users:read"], "resale"),
      ["api/v1/me", "api/v1/me/ui"],
    ],
  ])("%s", (_name, who, asked) => {
    expect(named({ path: "/inspect", caller: who }).filter((href) => href?.startsWith("api/"))).toEqual(asked);
  });

  // Which records are a reseller's is the API's to say: the page names the same addresses for everybody.
  test("a reseller for the same lists as others", () => {
    const asked = (base: Caller["base"]) => named({ path: "/users", caller: caller(["users:read"], base) });
    expect(asked("resale")).toContain("api/v1/users/summary");
    expect(asked("resale")).toEqual(asked("admin"));
  });

  test("nobody on an open page", () => {
    expect(named({ path: "/login", caller: reader })).toEqual(["assets/en.js", "assets/login.js"]);
  });
});

describe("words", () => {
  test.each([
    ["of the language that was chosen", "fa", "en-GB,en;q=0.9", "fa"],
    ["of the first language that there is", undefined, "tr-TR,fa-IR;q=0.8,en;q=0.5", "fa"],
    ["in English where none is known", "xx", "tr", "en"],
    ["in English where what is asked for is a trap", "__proto__", "constructor", "en"],
  ])("%s", (_name, language, accepted, expected) => {
    expect(named({ path: "/nowhere", language, accepted })).toEqual([`assets/${expected}.js`]);
    // With those that a page shows.
    expect(named({ path: "/inspect", language, accepted })).toContain(`assets/chart-${expected}.js`);
  });
});
